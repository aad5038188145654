/// An answer that ends the work on a request.
package struct Refused: Error {
  package let response: HTTPResponse

  package init(_ response: HTTPResponse) { self.response = response }
  package init(_ status: Int, _ message: String) { response = .error(status, message) }
}
