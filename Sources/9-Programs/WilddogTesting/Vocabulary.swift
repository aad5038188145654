// What a test names besides the network: one import brings all of it, and nothing else of these modules.
@_exported public import struct ClientInterface.Interval
@_exported public import struct ClientInterface.Profile
@_exported public import enum Faults.Fault
@_exported public import struct Faults.Latency
@_exported public import enum Faults.Trigger
@_exported public import enum Tree.JSON
@_exported public import enum Wire.Request
