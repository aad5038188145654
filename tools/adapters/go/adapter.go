// A thin client that can listen to whole values and set them, and no more, driven by Kennel.
//
//	go build -o adapter adapter.go
//	kennel run writes -- ./adapter
//
// To drive a client of your own, put its calls where this one has those of thinClient, and name in
// capabilities what it can do. Scenarios that need anything else are not run.
package main

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"reflect"
	"sort"
	"strings"
)

var capabilities = []string{"listen.value", "set", "reset"}

const backOff = 1

type object = map[string]any

var out = bufio.NewWriter(os.Stdout)

// emit writes a line with a verb.
func emit(verb string, content any) {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(object{verb: content}); err != nil {
		panic(err)
	}
}

func main() {
	clients := map[string]*thinClient{}
	input := bufio.NewReader(os.Stdin)
	for {
		line, err := input.ReadBytes('\n')
		if err == io.EOF {
			return
		}
		var request object
		if err := json.Unmarshal(line, &request); err != nil {
			panic(err)
		}
		if _, isEnd := request["bye"]; isEnd {
			return
		}
		answer(request, clients)
		emit("idle", request["id"])
		out.Flush()
	}
}

func answer(request object, clients map[string]*thinClient) {
	name, _ := request["client"].(string)
	client := clients[name]
	has := func(verb string) bool { _, found := request[verb]; return found }
	switch {
	case has("hello"):
		// Revision 6 adds the capability frames, several messages in one request, which is not declared here.
		emit("hello", object{"protocol": 1, "revision": 6, "name": "go-example", "version": "1.0", "capabilities": capabilities})
	case has("reset"):
		for name := range clients {
			delete(clients, name)
		}
	case has("open"):
		clients[name] = &thinClient{}
		emit("connect", object{})
	case has("kill"):
		delete(clients, name)
	case has("opened"): // The server's hello follows.
	case has("refused"), has("closed"):
		client.ended()
	case has("timer"):
		if request["timer"].(object)["timer"] == float64(backOff) {
			emit("connect", object{})
		}
	case has("frame"):
		client.frame(request["frame"].(object))
	case has("call") && client.call(request["call"].(object)):
	default:
		emit("error", object{"code": "not-supported", "message": "not known here"})
	}
}

// -- The client -----------------------------------------------------------------------------------

type write struct {
	call    string
	path    []string
	value   any
	request int
}

type listener struct {
	name             string
	path             []string
	request          int
	isKnown, isShown bool
	shown            any
}

// thinClient has a tree with what the server sent, the writes that it has not answered, and the listeners.
// After everything that happens each listener is shown its location again, where that differs from before.
type thinClient struct {
	server      any
	writes      []*write
	listeners   []*listener
	isReady     bool
	lastRequest int
}

func (c *thinClient) call(call object) bool {
	id, _ := call["id"].(string)
	op, _ := call["op"].(string)
	path := keys(call["path"])
	isWrite := op == "set" || op == "remove"
	switch {
	case isBadPath(path):
		emit("threw", object{"call": id, "error": "invalid_path"})
	case isWrite && isBadValue(call["value"], len(path)):
		emit("threw", object{"call": id, "error": "invalid_value"})
	case isWrite:
		w := &write{call: id, path: path, value: normal(call["value"])}
		c.writes = append(c.writes, w)
		if c.isReady {
			c.send(w)
		}
		c.show()
	case op == "listen":
		l := &listener{name: call["listener"].(string), path: path}
		for _, other := range c.listeners {
			l.isKnown = l.isKnown || other.isKnown && isWithin(path, other.path)
		}
		c.listeners = append(c.listeners, l)
		if c.isReady {
			c.askFor(l)
		}
		c.show()
	case op == "unlisten":
		_, hasPath := call["path"]
		c.remove("", func(l *listener) bool {
			return l.name == call["listener"] && (!hasPath || reflect.DeepEqual(l.path, path))
		})
	case op == "unlisten-all":
		c.remove("", func(l *listener) bool { return reflect.DeepEqual(l.path, path) })
	default:
		return false
	}
	return true
}

func (c *thinClient) frame(message object) {
	content, _ := message["d"].(object)
	if message["t"] == "c" {
		c.control(content["t"])
	} else if number, isAnswer := content["r"].(float64); isAnswer {
		c.finish(int(number), content["b"].(object)["s"].(string))
	} else if action, isData := content["a"].(string); isData {
		c.data(action, content["b"].(object))
	}
}

// ended: the connection was refused or lost.
func (c *thinClient) ended() {
	c.isReady = false
	emit("setTimer", object{"timer": backOff, "after": 1000, "label": "back-off"})
}

func (c *thinClient) control(kind any) {
	switch kind {
	case "h":
		c.isReady = true
		for _, l := range c.listeners {
			c.askFor(l)
		}
		for _, w := range c.writes {
			c.send(w)
		}
	case "s":
		c.isReady = false
		emit("disconnect", object{})
	}
}

func (c *thinClient) data(action string, body object) {
	path := keys(body["p"])
	switch action {
	case "d":
		c.server = put(c.server, path, normal(body["d"]))
	case "m":
		for below, value := range body["d"].(object) {
			all := append(append([]string{}, path...), keys(below)...)
			c.server = put(c.server, all, normal(value))
		}
	case "c":
		c.remove("permission_denied", func(l *listener) bool { return reflect.DeepEqual(l.path, path) })
	}
	c.show()
}

// askFor asks for the data of a listener, unless they come along with those of an earlier one.
func (c *thinClient) askFor(l *listener) {
	for _, other := range c.listeners {
		if other == l {
			break
		}
		if isWithin(l.path, other.path) {
			l.request = other.request
			return
		}
	}
	l.request = c.request("q", l.path, object{"h": ""})
}

func (c *thinClient) send(w *write) { w.request = c.request("p", w.path, object{"d": w.value}) }

func (c *thinClient) request(action string, path []string, body object) int {
	c.lastRequest++
	body["p"] = "/" + strings.Join(path, "/")
	emit("send", object{"t": "d", "d": object{"r": c.lastRequest, "a": action, "b": body}})
	return c.lastRequest
}

// remove removes listeners; with an error they receive it. When what was asked for ends with them, the server
// receives that, and the others that it served are asked for again.
func (c *thinClient) remove(status string, isMeant func(*listener) bool) {
	ended := map[int]bool{}
	for _, l := range append([]*listener{}, c.listeners...) {
		if !isMeant(l) {
			continue
		}
		rest := []*listener{}
		isServed := false
		for _, other := range c.listeners {
			if other != l {
				rest = append(rest, other)
				isServed = isServed || other.request == l.request && isWithin(l.path, other.path)
			}
		}
		c.listeners = rest
		if c.isReady && !isServed {
			ended[l.request] = true
			if status == "" {
				c.request("n", l.path, object{})
			}
		}
		if status != "" {
			emit("cancelled", object{"listener": l.name, "error": status})
		}
	}
	for _, l := range c.listeners {
		if ended[l.request] {
			c.askFor(l)
		}
	}
}

// finish: the server has answered a request.
func (c *thinClient) finish(number int, status string) {
	served := [][]string{}
	for _, l := range c.listeners {
		if l.request == number {
			l.isKnown = true
			served = append(served, l.path)
		}
	}
	var failure any
	if status != "ok" {
		failure = status
		for _, path := range served {
			c.remove(status, func(l *listener) bool { return reflect.DeepEqual(l.path, path) })
		}
	}
	for index, w := range c.writes {
		if w.request == number {
			c.writes = append(append([]*write{}, c.writes[:index]...), c.writes[index+1:]...)
			c.show()
			emit("completed", object{"call": w.call, "error": failure})
			return
		}
	}
	c.show()
}

// show: a listener sees what the server sent with the pending writes on top; the deepest ones are first.
func (c *thinClient) show() {
	local := c.server
	for _, w := range c.writes {
		local = put(local, w.path, w.value)
	}
	deepestFirst := append([]*listener{}, c.listeners...)
	sort.SliceStable(deepestFirst, func(i, j int) bool {
		return len(deepestFirst[i].path) > len(deepestFirst[j].path)
	})
	for _, l := range deepestFirst {
		isKnown := l.isKnown
		for _, w := range c.writes {
			isKnown = isKnown || isWithin(l.path, w.path)
		}
		value := local
		for _, key := range l.path {
			children, _ := value.(object)
			value = children[key]
		}
		if !isKnown || l.isShown && reflect.DeepEqual(l.shown, value) {
			continue
		}
		l.isShown, l.shown = true, value
		var key any
		if len(l.path) > 0 {
			key = l.path[len(l.path)-1]
		}
		emit("event", object{"listener": l.name, "type": "value", "key": key, "value": value})
	}
}

func keys(path any) []string {
	text, _ := path.(string)
	return strings.FieldsFunc(text, func(r rune) bool { return r == '/' })
}

func isWithin(path, ancestor []string) bool {
	if len(path) < len(ancestor) {
		return false
	}
	for index, key := range ancestor {
		if path[index] != key {
			return false
		}
	}
	return true
}

// put returns the tree with a value in place of what is at a path. Trees are never changed.
func put(tree any, path []string, value any) any {
	if len(path) == 0 {
		return value
	}
	old, isMap := tree.(object)
	if value == nil && !isMap {
		return tree
	}
	children := object{}
	for key, child := range old {
		children[key] = child
	}
	if child := put(children[path[0]], path[1:], value); child == nil {
		delete(children, path[0])
	} else {
		children[path[0]] = child
	}
	if len(children) == 0 {
		return nil
	}
	return children
}

// normal is the value without what is nothing.
func normal(value any) any {
	children, isMap := value.(object)
	if !isMap {
		return value
	}
	var tree any
	for key, child := range children {
		tree = put(tree, []string{key}, normal(child))
	}
	return tree
}

func isBadKey(key string) bool {
	return strings.ContainsAny(key, ".#$[]\x7f") ||
		strings.IndexFunc(key, func(r rune) bool { return r < 0x20 }) >= 0
}

func isBadPath(path []string) bool {
	for _, key := range path {
		if isBadKey(key) {
			return true
		}
	}
	return len(path) > 32 || len(strings.Join(path, "/")) > 768
}

func isBadValue(value any, depth int) bool {
	children, isMap := value.(object)
	if !isMap {
		return depth > 32
	}
	for key, child := range children {
		if key == "" || strings.Contains(key, "/") {
			return true
		}
		if key != ".value" && key != ".priority" && (isBadKey(key) || isBadValue(child, depth+1)) {
			return true
		}
	}
	return false
}
