/// The page at `/`: the data of a namespace, and each change as it happens.
enum Page {
  static let response = HTTPResponse(
    200,
    [
      .init("Content-Type", "text/html; charset=utf-8"),
      .init("Content-Security-Policy", "default-src 'self' 'unsafe-inline'"),
    ], body: Array(html.utf8))

  private static let html = """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <title>kennel serve</title>
    <style>
      body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 60em; padding: 0 1em }
      pre, ol { background: #f4f4f4; padding: 1em; overflow: auto; max-height: 24em }
      ol { list-style: none; font-family: monospace }
    </style>
    <h1>kennel serve</h1>
    <form>
      <label>Namespace <input name="ns"></label> <button>Show</button>
      <span id="state" role="status">connecting</span>
    </form>
    <h2>Data</h2>
    <pre id="data"></pre>
    <h2>Changes, the newest first</h2>
    <ol id="changes"></ol>
    <script>
      const place = (id) => document.getElementById(id);
      const name = new URLSearchParams(location.search).get("ns") || "default";
      document.forms[0].elements.ns.value = name;
      const query = "?ns=" + encodeURIComponent(name);
      let isReading = false, isOld = false;
      const read = async () => {
        isOld = true;
        if (isReading) return;
        isReading = true;
        while (isOld) {
          isOld = false;
          place("data").textContent = await (await fetch("/.json" + query + "&print=pretty")).text();
        }
        isReading = false;
      };
      const stream = new EventSource("/.json" + query);
      stream.onopen = () => { place("state").textContent = "connected"; };
      stream.onerror = () => { place("state").textContent = "not connected"; };
      for (const kind of ["put", "patch"]) {
        stream.addEventListener(kind, (event) => {
          const change = JSON.parse(event.data);
          const line = document.createElement("li");
          line.textContent = `${new Date().toLocaleTimeString()} ${kind} ${change.path} `
            + JSON.stringify(change.data).slice(0, 500);
          place("changes").prepend(line);
          if (place("changes").children.length > 200) place("changes").lastChild.remove();
          read();
        });
      }
    </script>
    </html>

    """
}
