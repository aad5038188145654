"""More clients that nobody here wrote. Part of tools/live/test."""

import asyncio
import contextlib
import json
import os
import shutil
import subprocess
import tempfile
import threading
import time

from check import Case, Server, message


def collected():
    """A list, a function that puts into it, and one that waits until it has so many."""
    found, news = [], threading.Condition()

    def keep(one):
        with news:
            found.append(one)
            news.notify()

    def wait(count):
        with news:
            assert news.wait_for(lambda: len(found) >= count, 10), found

    return found, keep, wait


class Curl(Case):
    """The command curl."""

    def setUp(self):
        self.program = shutil.which("curl")
        if self.program is None:
            self.skipTest("curl is not there")
        super().setUp()

    def curl(self, *words, text=None):
        return subprocess.run(
            [self.program, "-sS", "--max-time", "10", *words], capture_output=True, timeout=20,
            input=text, text=True, check=True).stdout

    def test_values(self):
        url = self.server.url
        with tempfile.NamedTemporaryFile("w") as file:
            json.dump({"text": "x" * 300_000}, file)
            file.flush()
            # With curl's own limits: it expects 100-continue for bodies like this, or sends chunks.
            self.curl("-T", file.name, url + "/a.json?print=silent")
            self.curl("-X", "PUT", "-H", "Transfer-Encoding: chunked", "-d", "@" + file.name,
                      url + "/b.json?print=silent")
            self.curl("-X", "PUT", "-H", "Expect: 100-continue", "-d", "@" + file.name,
                      url + "/c.json?print=silent")
        self.assertEqual(self.curl(url + "/.json?shallow=true"), '{"a":true,"b":true,"c":true}\n')
        self.assertEqual(self.curl("-T", "-", url + "/d.json", text='"é"'), '"é"\n')
        self.assertIn("Content-Length: 300012", self.curl("-I", url + "/a.json"))
        self.assertEqual(self.curl("-X", "DELETE", url + "/a.json"), "null\n")
        # Several on one connection, and --globoff as documented for the database.
        query = url + '/d.json?orderBy="$value"'
        self.assertEqual(self.curl("-g", url + "/d.json", query, "-o", "-", "-o", "-"),
                         '"é"\n"é"\n')
        self.assertEqual(self.curl("-w", "%{http_code}", url + "/a.b.json")[-3:], "400")
        self.assertEqual(self.curl("--http1.0", url + "/d.json"), '"é"\n')
        self.assertEqual(self.curl("--http2", url + "/d.json"), '"é"\n')
        self.assertIn("ETag: null_etag", self.curl("-i", "-H", "X-Firebase-ETag: true",
                                                   url + "/none.json"))
        if self.server.port and shutil.which("ip"):
            self.assertEqual(self.curl(f"http://[::1]:{self.server.port}/d.json"), '"é"\n')

    def test_a_stream(self):
        with subprocess.Popen(
                [self.program, "-sN", "-H", "Accept: text/event-stream", self.server.url + "/a.json"],
                stdout=subprocess.PIPE, text=True) as process:
            self.assertEqual(process.stdout.readline(), "event: put\n")
            self.server.ask("PUT", "/a.json", "1")
            process.stdout.readline()
            process.stdout.readline()
            self.assertEqual(process.stdout.readline(), "event: put\n")
            self.assertEqual(process.stdout.readline(), 'data: {"path":"/","data":1}\n')
            process.terminate()


class Httpx(Case):
    """The library httpx."""

    def setUp(self):
        try:
            import httpx
        except ImportError:
            self.skipTest("httpx is not there")
        super().setUp()
        self.client = httpx.Client(base_url=self.server.url)

    def test_values(self):
        with self.client as client:
            # A generator is sent in chunks.
            answer = client.put("/a.json", content=(part for part in (b'{"x"', b":[1,", b"2]}")))
            self.assertEqual(answer.json(), {"x": [1, 2]})
            self.assertEqual(client.get("/a.json", params={"shallow": "true"}).json(), {"x": True})
            client.put("/room.json", json={"a b": {"n": 1}, "a+b": {"n": 2}, "ü": {"n": 3}})
            found = client.get("/room.json", params={"orderBy": '"$key"', "equalTo": '"a b"'})
            self.assertEqual(found.json(), {"a b": {"n": 1}})
            found = client.get("/room.json", params={"orderBy": '"$key"', "equalTo": '"a+b"'})
            self.assertEqual(found.json(), {"a+b": {"n": 2}})
            self.assertEqual(client.get("/room/ü/n.json").json(), 3)
            self.assertEqual(client.head("/room/ü/n.json").headers["content-length"], "2")
            self.assertEqual(client.options("/a.json").status_code, 204)

    def test_a_stream(self):
        with self.client as client, client.stream(
                "GET", "/a.json", headers={"Accept": "text/event-stream"}, timeout=10) as stream:
            lines = stream.iter_lines()
            self.assertEqual([next(lines) for _ in range(2)],
                             ["event: put", 'data: {"path":"/","data":null}'])
            client.patch("/a.json", json={"b/c": 1})
            self.assertEqual([next(lines) for _ in range(3)],
                             ["", "event: patch", 'data: {"path":"/","data":{"b/c":1}}'])


class Aiohttp(Case):
    """The library aiohttp."""

    def setUp(self):
        try:
            import aiohttp
        except ImportError:
            self.skipTest("aiohttp is not there")
        super().setUp()
        self.library = aiohttp

    def test_all(self):
        asyncio.run(asyncio.wait_for(self.talk(), 20))

    async def talk(self):
        async def parts():
            for part in (b"[", b"1," * 50_000, b"1]"):
                yield part

        async with self.library.ClientSession(self.server.url) as session:
            async with session.put("/a.json?print=silent", data=parts()) as answer:
                self.assertEqual(answer.status, 204)
            async with session.post("/list.json", json=5, expect100=True) as answer:
                name = (await answer.json())["name"]
            asked = [session.get(f"/list/{name}.json") for _ in range(200)]
            self.assertEqual({(await one.json()) for one in await asyncio.gather(*asked)}, {5})
            events = await session.get("/list.json", headers={"Accept": "text/event-stream"})
            self.assertEqual(await events.content.readline(), b"event: put\n")
            async with session.ws_connect("/.ws?v=5&ns=default") as socket:
                self.assertEqual((await socket.receive_json())["d"]["t"], "h")
                await socket.send_json({"t": "d", "d": {"r": 1, "a": "p", "b": {"p": "/list/x", "d": 1}}})
                self.assertEqual((await socket.receive_json())["d"]["b"]["s"], "ok")
            lines = [await events.content.readline() for _ in range(4)]
            self.assertEqual(lines[2:], [b"event: put\n", b'data: {"path":"/x","data":1}\n'])
            events.close()
            async with session.ws_connect("/.ws/?EIO=3&transport=websocket") as socket:
                self.assertEqual((await socket.receive_str())[:2], '0{')
                await socket.ping()
                await socket.close(code=1000)


class WebSocketClient(Case):
    """The library websocket-client."""

    def setUp(self):
        try:
            import websocket
        except ImportError:
            self.skipTest("websocket-client is not there")
        super().setUp()
        self.library = websocket

    def test_all(self):
        one = self.library.create_connection(
            f"ws://127.0.0.1:{self.server.port}/.ws?v=5&ns=default", timeout=10)
        self.assertEqual(json.loads(one.recv())["d"]["t"], "h")
        text = message("p", {"p": "/a", "d": "😀" * 10_000})
        for frame in [str(-(-len(text) // 8000))] + [
                text[n:n + 8000] for n in range(0, len(text), 8000)]:
            one.send(frame)
        self.assertEqual(json.loads(one.recv())["d"]["b"]["s"], "ok")
        one.ping("x")
        self.assertEqual(one.recv_data(control_frame=True), (10, b"x"))
        one.send("0")
        one.send_binary(b"x")
        code, reason = one.recv_data()
        self.assertEqual((code, reason[:2]), (8, (1003).to_bytes(2, "big")))
        one.close()


class Rest(Case):
    """The package firebase-rest-api, which has a reader of event streams of its own."""

    def setUp(self):
        try:
            import firebase
        except ImportError:
            self.skipTest("firebase-rest-api is not there")
        super().setUp()
        self.app = firebase.initialize_app({
            "apiKey": "x", "authDomain": "x", "databaseURL": self.server.url, "projectId": "demo",
            "storageBucket": "x"})

    def db(self, *path):
        return self.app.database().child(*path)

    def test_values(self):
        self.db("room").set({"a": {"n": 3}, "b": {"n": 1}, "c": {"n": 2}})
        self.db("room").child("a").update({"m": 1})
        self.assertEqual(self.db("room", "a").get().val(), {"m": 1, "n": 3})
        name = self.db("list").push("x")["name"]
        self.assertEqual(self.db("list", name).get().val(), "x")
        self.db("list", name).remove()
        self.assertIsNone(self.db("list").get().val())
        found = self.db("room").order_by_child("n").start_at(2).limit_to_first(1).get()
        self.assertEqual([one.key() for one in found.each()], ["c"])
        found = self.db("room").order_by_key().end_at("b").get()
        self.assertEqual([one.key() for one in found.each()], ["a", "b"])
        self.assertEqual(sorted(self.db("room").shallow().get().val()), ["a", "b", "c"])

    def test_etags(self):
        self.db("n").set(1)
        tag = self.db("n").get_etag()
        self.assertEqual(self.db("n").conditional_set(2, tag), 2)
        self.assertEqual(self.db("n").conditional_set(3, tag)["ETag"], self.db("n").get_etag())
        self.assertIn("ETag", self.db("n").conditional_remove(tag))
        self.db("n").conditional_remove(self.db("n").get_etag())
        self.assertEqual(self.db("n").get_etag(), "null_etag")

    def test_a_stream(self):
        found, keep, wait = collected()
        stream = self.db("feed").stream(keep)
        wait(1)
        self.db("feed").update({"a": 1})
        wait(2)
        self.assertEqual([(one["event"], one["path"], one["data"]) for one in found],
                         [("put", "/", None), ("patch", "/", {"a": 1})])
        threading.excepthook = lambda _: None
        with contextlib.suppress(Exception):
            stream.close()


class AdminMore(Case):
    """What else firebase-admin has."""

    # At /ben only ben may write.
    options = ("--scenario", os.path.join(
        os.environ["KENNEL_HOME"], "Scenarios", "auth", "another-user-takes-over.yaml"))

    def setUp(self):
        try:
            import firebase_admin
            import firebase_admin.db
        except ImportError:
            self.skipTest("firebase-admin is not there")
        super().setUp()
        self.library, self.apps = firebase_admin, []
        self.root = self.reference()

    def reference(self, **options):
        os.environ["FIREBASE_DATABASE_EMULATOR_HOST"] = f"localhost:{self.server.port}"
        app = self.library.initialize_app(
            options={"databaseURL": "https://demo.firebaseio.com", **options},
            name=f"{self.id()} {len(self.apps)}")
        self.apps.append(app)
        return self.library.db.reference("/", app)

    def tearDown(self):
        for app in self.apps:
            self.library.delete_app(app)
        super().tearDown()

    def test_who_the_administrator_is_taken_for(self):
        ben = self.reference(databaseAuthVariableOverride={"uid": "ben"})
        ann = self.reference(databaseAuthVariableOverride={"uid": "ann"})
        nobody = self.reference(databaseAuthVariableOverride=None)
        self.root.child("ben").set(1)
        ben.child("ben").set(2)
        self.assertEqual(ben.child("ben").get(), 2)
        for other in (ann, nobody):
            with self.assertRaises(self.library.exceptions.UnauthenticatedError) as caught:
                other.child("ben").set(3)
            self.assertIn("Permission denied", str(caught.exception))
            other.child("ann").set(1)
        ben.child("ben").transaction(lambda value: value + 1)
        self.assertEqual(self.root.child("ben").get(), 3)

    def test_queries(self):
        room = self.root.child("room")
        room.set({"a": {"n": 3, "d": {"e": "x"}}, "b": {"n": 1, "d": {"e": "z"}},
                  "c": {"n": 2, "d": {"e": "y"}}, "d": {"n": "x"}, "f": {"n": True}})
        for query, expected in (
                (room.order_by_child("n"), "fbcad"), (room.order_by_child("d/e"), "dfacb"),
                (room.order_by_key().limit_to_first(2), "ab"),
                (room.order_by_key().limit_to_last(2), "df"),
                (room.order_by_key().start_at("c"), "cdf"), (room.order_by_key().end_at("b"), "ab"),
                (room.order_by_key().start_at("b").end_at("d").limit_to_last(2), "cd"),
                (room.order_by_child("n").start_at(2).end_at(3), "ca"),
                (room.order_by_child("n").equal_to(1), "b"),
                (room.order_by_child("n").equal_to("x"), "d"),
                (room.order_by_child("n").equal_to(True), "f"),
                (room.order_by_child("n").start_at(2).limit_to_first(1), "c"),
                (room.order_by_child("n").start_at("a"), "d")):
            self.assertEqual("".join(query.get()), expected)
        room.set({"a": 3, "b": 1, "c": "x", "d": False})
        for query, expected in (
                (room.order_by_value(), "dbac"), (room.order_by_value().start_at(2), "ac"),
                (room.order_by_value().equal_to("x"), "c"),
                (room.order_by_value().limit_to_last(1), "c")):
            self.assertEqual("".join(query.get()), expected)

    def test_etags_of_what_is_not_there(self):
        place = self.root.child("none")
        value, tag = place.get(etag=True)
        self.assertEqual((value, tag), (None, "null_etag"))
        self.assertEqual(place.get_if_changed("x")[:2], (True, None))
        done, value, tag = place.set_if_unchanged("null_etag", {"a": 1})
        self.assertEqual((done, value), (True, {"a": 1}))
        self.assertEqual(place.get_if_changed(tag), (False, None, None))
        self.assertEqual(place.set_if_unchanged("null_etag", 2), (False, {"a": 1}, tag))

    def test_a_transaction_that_gives_up(self):
        place = self.root.child("n")
        place.set(1)

        def meddle(value):
            self.server.ask("PUT", "/n.json?ns=demo", str(value + 1))
            return value

        with self.assertRaises(self.library.db.TransactionAbortedError):
            place.transaction(meddle)

    def test_a_stream_that_is_cut_begins_again(self):
        found, keep, wait = collected()
        registration = self.root.child("feed").listen(lambda event: keep(event.data))
        wait(1)
        self.root.child("feed").set({"a": [1, {"b": "é"}]})
        wait(2)
        self.root.child("feed/a/1").delete()
        wait(3)
        self.assertEqual(found, [None, {"a": [1, {"b": "é"}]}, None])
        threading.excepthook = lambda _: None
        threading.Thread(target=registration.close, daemon=True).start()
        time.sleep(0.1)
