import AdapterProtocol
import ClientInterface
import Conformance
import Simulator
import Tree
import Wire

/// One run of clients that live behind an adapter: they share a process.
final class RemoteRun {
  private let session: AdapterSession
  private let run: AdapterRun
  private var process: AdapterProcess?
  private var adapterError: AdapterError?
  /// What is to be asked next, and what came of it.
  private var early: (AdapterRequest, Result<[ClientOutput], AdapterError>)?

  init(_ run: AdapterRun, in session: AdapterSession) {
    self.run = run
    self.session = session
  }

  deinit {
    if let process { session.takeBack(process) }
  }

  fileprivate var hello: AdapterHello { session.hello }

  func makeClient(_ name: String) -> any SyncClient {
    let client = RemoteClient(name: name, of: self)
    return hello.takesFrames ? AnticipatingRemoteClient(client) : client
  }

  /// Hands an input to a client, and appends what it does; nothing after something went wrong.
  ///
  /// - Parameters:
  ///   - input: What happens to it.
  ///   - next: A message that arrives directly afterwards, and may be handed over with the input.
  ///   - client: Its name.
  ///   - now: The time by its clock.
  ///   - outputs: Where what it does is added.
  fileprivate func handle(
    _ input: ClientInput, before next: ServerMessage?, of client: String, at now: Instant,
    into outputs: inout [ClientOutput]
  ) {
    guard adapterError == nil else { return }
    do throws(AdapterError) {
      if let early = takeEarly(input, of: client, at: now) {
        outputs += try early.get()
      } else if let next, let message = input.message {
        outputs += try hand(over: [message, next], to: client, at: now)
      } else {
        let request = AdapterRequest.input(client: client, input, at: now)
        outputs += try session.answer(to: request, from: readyProcess()).outputs
      }
    } catch {
      record(error)
    }
  }

  /// What the adapter has done already when it was handed the message before this one.
  private func takeEarly(
    _ input: ClientInput, of client: String, at now: Instant
  ) -> Result<[ClientOutput], AdapterError>? {
    guard let (request, result) = early else { return nil }
    early = nil
    if request == .input(client: client, input, at: now) { return result }
    let announced = request.json(id: 0, in: run.profile.dialect).text
    let reason = "the kit announced another input, which the adapter has taken: \(announced)"
    return .failure(AdapterError(verdict: .kitError, reason: reason))
  }

  /// Hands two messages over. What comes of the second, also that the adapter does not survive it, is kept
  /// until that arrives.
  private func hand(
    over messages: [ServerMessage], to client: String, at now: Instant
  ) throws(AdapterError) -> [ClientOutput] {
    let process = try readyProcess()
    let second = AdapterRequest.input(client: client, ClientInput(messages[1]), at: now)
    do throws(AdapterError) {
      let answer = try session.answer(
        to: .frames(client: client, messages, at: now), from: process)
      early = answer.later.first.map { (second, .success($0)) }
      return answer.outputs
    } catch {
      guard !process.dialogue.answer.later.isEmpty else { throw error }
      self.process = nil
      early = (second, .failure(error))
      return process.dialogue.answer.outputs
    }
  }

  private func readyProcess() throws(AdapterError) -> AdapterProcess {
    if let process { return process }
    guard !session.hasGivenUp else {
      throw AdapterError(verdict: .kitError, reason: "the adapter was given up before")
    }
    let process = try session.process(for: run)
    self.process = process
    return process
  }

  private func record(_ adapterError: AdapterError) {
    self.adapterError = adapterError
    process = nil
    if adapterError.verdict != .kitError { session.count(adapterError) }
  }

  /// What went wrong, if anything did.
  var outage: ClientOutage? {
    if adapterError == nil, let process {
      do throws(AdapterFault) { try process.checkSilence() } catch {
        record(AdapterError(error, in: process, asked: nil))
      }
    }
    return adapterError.map {
      ClientOutage($0.verdict, reason: $0.reason, context: $0.context)
    }
  }
}

/// A client that lives behind an adapter. It is an object: what it does cannot be undone.
private final class RemoteClient: SyncClient {
  private let name: String
  private let run: RemoteRun

  init(name: String, of run: RemoteRun) {
    self.name = name
    self.run = run
  }

  var capabilities: Set<String> { run.hello.capabilities }
  var lacks: Set<Feature> { run.hello.lacks }

  func handle(_ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]) {
    handle(input, before: nil, at: now, into: &outputs)
  }

  fileprivate func handle(
    _ input: ClientInput, before next: ServerMessage?, at now: Instant,
    into outputs: inout [ClientOutput]
  ) {
    run.handle(input, before: next, of: name, at: now, into: &outputs)
  }
}

/// The same, of an adapter that takes several messages in one request.
private final class AnticipatingRemoteClient: AnticipatingClient {
  private let client: RemoteClient
  private var next: ServerMessage?

  init(_ client: RemoteClient) { self.client = client }

  var capabilities: Set<String> { client.capabilities }
  var lacks: Set<Feature> { client.lacks }

  func expect(_ message: ServerMessage) { next = message }

  func handle(_ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]) {
    client.handle(input, before: next.take(), at: now, into: &outputs)
  }
}
