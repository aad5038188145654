/// The version of the kit.
package let kitVersion = "0.1.0"
