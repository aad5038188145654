"""Several messages of the server in one request, which only adapters with the capability `frames` get."""


def parts_of(request, lines, emit):
    """The request itself, or one for each of its messages, until the client closes their connection.

    What a part causes is in `lines` before the next one is asked for.
    """
    for index, message in enumerate(request.pop("frames", [None])):
        if index:
            if any(line.startswith('{"disconnect"') for line in lines[start:]):
                return
            emit("next", {})
        start = len(lines)
        yield request if message is None else {**request, "frame": message}
