"""A small adapter that is right until somebody writes to /bad: then it is wrong in the way that its
first argument names. Its second argument makes its processes recognizable. It writes its lines to the
descriptor that KENNEL_FD names."""

import json, os, signal, subprocess, sys, time

way = sys.argv[1]
mark = sys.argv[2] if len(sys.argv) > 2 else ""
output = os.fdopen(int(os.environ.get("KENNEL_FD", "1")), "w", encoding="utf-8", closefd=False)


def say(line):
    output.write(json.dumps(line) + "\n")


def flush():
    output.flush()


def put(raw):
    output.buffer.write(raw)
    output.buffer.flush()


def hang():
    flush()
    time.sleep(1000)


def be_wrong(number):
    if way == "no-newline":
        put(b'{"idle": %d}' % number)
        hang()
    elif way == "not-json":
        output.write("connected!\n")
    elif way == "list":
        output.write("[1]\n")
    elif way == "bad-message":
        say({"send": {"t": "d", "d": {"r": 1, "a": "q", "b": {"p": "/bad"}}}})
    elif way == "unknown-verb":
        say({"wave": {}})
    elif way == "wrong-argument":
        say({"setTimer": {"timer": 1, "after": "soon"}})
    elif way == "negative-argument":
        say({"setTimer": {"timer": 1, "after": -5}})
    elif way == "two-verbs":
        say({"log": {"text": "hm"}, "disconnect": {}})
    elif way == "member-beside":
        say({"log": {"text": "hm"}, "ts": 12})
    elif way == "wrong-id":
        say({"idle": number + 1})
    elif way == "id-is-true":
        say({"idle": True})
    elif way == "capital-idle":
        say({"Idle": number})
    elif way == "no-idle":
        say({"log": {"text": "thinking"}})
        hang()
    elif way == "two-idles":
        say({"idle": number})
        say({"idle": number})
    elif way == "late-idle":
        say({"idle": number})
        flush()
        time.sleep(0.1)
        say({"idle": number})
    elif way == "early":
        say({"idle": number})
        say({"idle": number + 1})
    elif way == "long-line":
        put(b'{"log": {"text": "' + b"x" * (20 << 20))
        hang()
    elif way == "exit-0":
        sys.exit(0)
    elif way == "exit-139":
        print("a last word", file=sys.stderr)
        sys.exit(139)
    elif way == "many-words":
        for count in range(40):
            print("word", count, file=sys.stderr)
        sys.exit(1)
    elif way == "half-line":
        put(b'{"idle"')
        sys.exit(3)
    elif way == "segfault":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif way == "ignores-sigterm":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        hang()
    elif way == "endless":
        # So slowly that the time runs out before the number of bytes that is allowed.
        while True:
            say({"log": {"text": "x" * 100000}})
            time.sleep(0.01)
    elif way == "closes-stdout":
        os.close(1)
        time.sleep(1000)
    elif way == "closes-stdin":
        os.close(0)
        say({"idle": number})
        hang()
    elif way == "sleeps":
        hang()
    elif way == "leaves-children":
        for own_session in (False, True):
            subprocess.Popen(
                [sys.executable, "-S", "-c", "import time; time.sleep(1000)", mark],
                start_new_session=own_session)
        sys.exit(1)
    elif way == "binary":
        put(bytes(range(256)) + b"\n")
    elif way == "latin":
        put('{"log": {"text": "caf\u00e9"}}\n'.encode("latin-1"))
    elif way == "endless-log":
        while True:
            print("x" * 1000, file=sys.stderr)
    elif way == "other-client":
        say({"client": "zoe", "log": {"text": "who?"}})
    elif way == "unset-timer":
        say({"cancelTimer": {"timer": 7}})
    elif way == "unknown-listener":
        say({"event": {"listener": "feed", "type": "value", "key": "a", "value": 1}})
    elif way == "unknown-call":
        say({"completed": {"call": "nobody", "error": None}})
    elif way == "extra-member":
        say({"log": {"text": "hm", "colour": "red"}})
    elif way == "prints":
        print("a library says hello", flush=True)
    elif way == "not-supported":
        say({"error": {"code": "not-supported", "message": "set is not there yet"}})
    elif way == "first-time":
        # Only the first process that gets here is wrong.
        if not os.path.exists("was-here"):
            open("was-here", "w").close()
            say({"error": {"code": "failed", "message": "index out of range"}})
    elif way == "failed":
        say({"error": {"code": "failed", "message": "index out of range"}})


def introduce():
    hello = {"protocol": 1, "name": "wrong", "version": "1", "capabilities": ["set"]}
    if way == "no-hello":
        return
    if way == "other-protocol":
        hello["protocol"] = 2
    if way == "other-capability":
        hello["capabilities"] = ["sett"]
    if way == "other-lack":
        hello["lacks"] = ["unlisten-al"]
    if way.startswith("real-"):
        hello["clock"] = "real"
    if way == "other-clock":
        hello["clock"] = "lunar"
    if way == "sockets":
        hello["transport"] = "socket"
    if way == "exit-at-once":
        print("no such module", file=sys.stderr)
        sys.exit(1)
    if way == "early-log":
        say({"log": {"text": "starting"}})
    say({"hello": hello})


requests = {}
while line := sys.stdin.readline():
    if way == "long-request" and len(line) > 100000:
        hang()
    message = json.loads(line)
    if "bye" in message:
        if way == "ignores-bye":
            time.sleep(1000)
        break
    if "hello" in message:
        introduce()
    elif "open" in message:
        if way == "real-timer":
            say({"client": message["client"], "setTimer": {"timer": 1, "after": 5}})
        elif way == "real-stranger":
            say({"client": "zoe", "connect": {}})
        elif way == "real-idle":
            say({"idle": message["id"]})
        else:
            say({"connect": {}})
    elif "call" in message:
        if message["call"]["path"] == "/bad":
            be_wrong(message["id"])
        requests[len(requests) + 1] = message["call"]["id"]
        body = {"p": message["call"]["path"], "d": message["call"]["value"]}
        say({"send": {"t": "d", "d": {"r": len(requests), "a": "p", "b": body}}})
    elif "frame" in message and "r" in message["frame"]["d"]:
        say({"completed": {"call": requests[message["frame"]["d"]["r"]], "error": None}})
    say({"idle": message["id"]})
    flush()
