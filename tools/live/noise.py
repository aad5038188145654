"""What tools/live/fuzz.py throws: lawful texts, texts that are not, and bytes changed at random."""

import json

LAWFUL = [
    '{"t":"d","d":{"r":1,"a":"q","b":{"p":"/a","h":""}}}',
    '{"t":"d","d":{"r":2,"a":"q","b":{"p":"/a","q":{"i":"n","sp":1,"l":3,"vf":"l"},"t":1,"h":""}}}',
    '{"t":"d","d":{"r":3,"a":"p","b":{"p":"/a/b","d":{"c":[1,2,{"x":null}],".priority":3}}}}',
    '{"t":"d","d":{"r":4,"a":"m","b":{"p":"/a","d":{"b/c":1,"d":{".sv":"timestamp"}}}}}',
    '{"t":"d","d":{"r":5,"a":"o","b":{"p":"/a/gone","d":{".sv":{"increment":2}}}}}',
    '{"t":"d","d":{"r":6,"a":"g","b":{"p":"/a","q":{"ep":"z","l":1,"vf":"r"}}}}',
    '{"t":"d","d":{"r":7,"a":"n","b":{"p":"/a"}}}', '{"t":"c","d":{"t":"p","d":{}}}', "0", "3",
    '{"t":"d","d":{"r":8,"a":"auth","b":{"cred":"x"}}}', "999999", "-1",
    '{"t":"d","d":{"r":9,"a":"unauth","b":{}}}', '{"t":"d","d":{"r":10,"a":"s","b":{"c":{}}}}',
    '{"t":"d","d":{"r":11,"a":"om","b":{"p":"/a","d":{"x":1}}}}',
    '{"t":"d","d":{"r":12,"a":"oc","b":{"p":"/a","d":null}}}',
    '{"t":"d","d":{"r":13,"a":"p","b":{"p":"/a/n","d":1,"h":"x"}}}',
    '42["wd",{"t":"c","d":{"t":"p","d":{}}}]', "2probe", "5", "40", "1", "2", "6",
    '42["wd",{"t":"d","d":{"r":1,"a":"q","b":{"p":"/a","h":""}}}]',
]
# JSON that is lawful, nearly so, or breaks programs.
VALUES = [
    "1e999", "-1e999", "1e-999", "0.1e1", "9007199254740993", "-0", "00", "1.", ".5", "+1", "NaN",
    '"\\ud800"', '"\\udc00\\ud800"', '"\\ud83d\\ude00"', '"\\u0000"', '"\\x"', '"\\u12"', '"\x7f"',
    '{".sv":"timestamp"}', '{".sv":{"increment":1e308}}', '{".sv":{"increment":"x"}}', '{".sv":5}',
    '{".value":1,".priority":{}}', '{".value":{".value":1}}', '{".priority":1}', '{"":1}',
    '{"a":1,"a":2}', '{"a/b":1,"a":2}', '{"a":{"b":null},"c":[null,null,[]]}', "[[[[]]]]",
    '{"0":1,"00":2,"1":3,"-0":4,"2147483647":5,"2147483648":6}', '{".info":1}', "", " ", "\ufeff1",
    '{"' + "k" * 769 + '":1}', '{"' + "\u20ac" * 256 + '":1}', "[" * 65 + "]" * 65, '{"a":' * 80,
]
TARGETS = [
    "/.ws?v=5&ns=default", "/.ws?v=5&ns=a&ls=session1", "/.ws/?EIO=3&transport=websocket",
    "/.ws/?EIO=3&transport=websocket&sid=x", "/.ws?ns=%00%ff", "/a.json", "/", "/.ws/x", "/.lp",
    "/.ws?v=5&ns=../../etc", "/.ws?" + "a=b&" * 3000, "/.ws?ls=session999999999999999999999",
]
BODY = "Host: a\r\nContent-Length: "
CHUNKED = "Host: a\r\nTransfer-Encoding: chunked\r\n"
REQUESTS = [
    "GET /a.json HTTP/1.1\r\nHost: a\r\n\r\n",
    'GET /a.json?orderBy="n"&startAt=1&limitToLast=2 HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET /a.json?orderBy="$key"&equalTo=5 HTTP/1.1\r\nHost: a\r\n\r\n',
    f'PUT /a.json HTTP/1.1\r\n{BODY}7\r\n\r\n{{"a":1}}',
    f"POST /a.json HTTP/1.1\r\n{BODY}1\r\n\r\n1",
    f'PATCH /a.json HTTP/1.1\r\n{BODY}9\r\n\r\n{{"a/b":1}}',
    f'PATCH /a.json HTTP/1.1\r\n{BODY}4\r\n\r\n{{"a/b":1}}',
    f"PUT /a.json HTTP/1.1\r\n{BODY}99\r\n\r\n1",
    f"PUT /a.json HTTP/1.1\r\n{BODY}1\r\nContent-Length: 2\r\n\r\n12",
    f"PUT /a.json HTTP/1.1\r\n{BODY}-1\r\n\r\n", f"PUT /a.json HTTP/1.1\r\n{BODY}1e9\r\n\r\n",
    f"PUT /a.json HTTP/1.1\r\n{CHUNKED}\r\n1\r\n5\r\n0\r\n\r\n",
    f"PUT /a.json HTTP/1.1\r\n{CHUNKED}\r\n5\r\n5\r\n0\r\n\r\n",
    f"PUT /a.json HTTP/1.1\r\n{CHUNKED}\r\nfffffffffffffff\r\n5",
    f"PUT /a.json HTTP/1.1\r\n{CHUNKED}\r\n-1\r\n5\r\n0\r\n\r\n",
    f"POST /a.json HTTP/1.1\r\n{CHUNKED}Content-Length: 4\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\n\r\n",
    f"PUT /a.json HTTP/1.1\r\n{CHUNKED}Transfer-Encoding: gzip\r\n\r\n0\r\n\r\n",
    f"PUT /a.json HTTP/1.1\r\nExpect: 100-continue\r\n{BODY}1\r\n\r\n1",
    f"PUT /a.json HTTP/1.1\r\nExpect: 200-ok\r\n{BODY}1\r\n\r\n1",
    f"DELETE /a.json HTTP/1.1\r\n{BODY}30\r\n\r\nGET /b.json HTTP/1.1\r\nHost: b\r\n\r\n",
    "DELETE /../../a%2e%2e/b.json HTTP/1.1\r\nHost: a\r\nIf-Match: null_etag\r\n\r\n",
    "GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /a%0.json HTTP/1.1\r\nHost: a\r\n\r\n", "GET /a.json?a=% HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /%c0%af.json HTTP/1.1\r\nHost: a\r\n\r\n", "GET /%00.json HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /a.json?" + "a=b&" * 4000 + " HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /a.json?" + "&" * 10000 + " HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /" + "k" * 769 + ".json HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /" + "k/" * 2000 + ".json HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET http://other/a.json HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/0.9\r\n\r\n", "GET /\r\n\r\n",
    "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "HEAD /a.json HTTP/1.1\r\nHost: a\r\n\r\n",
    "POST /a.json HTTP/1.1\r\nX-HTTP-Method-Override: DELETE\r\n" + BODY + "1\r\n\r\n1",
    "GET /a.json HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n",
    "GET /.ws HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n",
    "GET /.ws/?EIO=3&transport=polling HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /.ws/?EIO=4&transport=polling HTTP/1.1\r\nHost: a\r\n\r\n",
    f"POST /.ws/?EIO=3&transport=polling&sid=x HTTP/1.1\r\n{BODY}3\r\n\r\n1:2",
    "GET /a.json HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n",
    "GET /a.json HTTP/1.1\r\nHost: a\r\n" + "X: y\r\n" * 500 + "\r\n",
]
CONTROL = [
    "GET /connections HTTP/1.1\r\nHost: a\r\n\r\n", "GET /faults HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /traffic HTTP/1.1\r\nHost: a\r\n\r\n", "POST /x HTTP/1.1\r\nHost: a\r\n\r\n",
    f"PUT /faults HTTP/1.1\r\n{BODY}2\r\n\r\n[]", f"PUT /faults HTTP/1.1\r\n{BODY}4\r\n\r\n[[]]",
    f"PUT /faults HTTP/1.1\r\n{BODY}3\r\n\r\n[{{}}]", f"PUT /x HTTP/1.1\r\n{CHUNKED}\r\n9\r\n",
]
PACKETS = ["2", "3", "40", "41", "42[]", "5", "6", "1", "0{}", "2probe", "", "\u20ac", "9", *LAWFUL[-2:]]
UTF8 = [b"\xc0\x80", b"\xe0\x80\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xff", b"\xc3", b"\0"]


def bend(data, draw):
    """Some bytes changed, cut out or doubled."""
    data = bytearray(data)
    for _ in range(draw.choice([0, 1, 1, 2, 5])):
        at = draw.randrange(len(data) + 1)
        kind = draw.randrange(5)
        if kind == 0 and at < len(data):
            data[at] = draw.randrange(256)
        elif kind == 1:
            del data[at:at + draw.randrange(8)]
        elif kind == 2:
            data[at:at] = data[:at][-draw.randrange(1, 30):]
        elif kind == 3:
            data[at:at] = draw.choice(UTF8)
        else:
            data[at:at] = draw.randbytes(draw.randrange(4))
    return bytes(data)


def payload(draw):
    """What a frame has in it."""
    kind = draw.randrange(30)
    if kind == 0:
        return b"[" * draw.randrange(1, 20000)
    if kind == 1:
        path = "/".join("k" * 5 for _ in range(draw.randrange(1, 60)))
        return json.dumps({"t": "d", "d": {"r": 1, "a": "p", "b": {"p": path, "d": 1}}}).encode()
    if kind == 2:
        return b'{"t":"d","d":{"r":1,"a":"p","b":{"p":"/l","d":"' + b"x" * draw.randrange(200000)
    if kind < 7:
        value, action = draw.choice(VALUES), draw.choice("pmoq")
        text = '{"t":"d","d":{"r":1,"a":"%s","b":{"p":"/v","d":%s,"h":""}}}' % (action, value)
        return text.encode("utf-8", "surrogatepass")
    return bend(draw.choice(LAWFUL).encode(), draw)
