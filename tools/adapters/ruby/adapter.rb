#!/usr/bin/env ruby
# A thin client that can listen to whole values and set them, and no more, driven by Kennel.
#
#     kennel run writes -- ruby adapter.rb
#
# To drive a client of your own, put its calls where this one has those of ThinClient, and name in
# CAPABILITIES what it can do. Scenarios that need anything else are not run.
require 'json'

CAPABILITIES = %w[listen.value set reset].freeze
BACK_OFF = 1

# -- The client -------------------------------------------------------------------------------------

# A tree with what the server sent, the writes that it has not answered, and the listeners. After
# everything that happens each listener is shown its location again, where that differs from before.
class ThinClient
  Write = Struct.new(:call, :path, :value, :request)
  Listener = Struct.new(:name, :path, :request, :known, :shown)

  def initialize(out)
    @out = out
    @server = nil
    @writes = []
    @listeners = []
    @ready = false
    @last_request = 0
    @out.call(connect: {})
  end

  def call(id, op, arguments)
    path = keys(arguments['path'])
    writes = %w[set remove].include?(op)
    return threw(id, 'invalid_path') if path.length > 32 || path.join('/').bytesize > 768 || path.any? { |key| bad?(key) }
    return threw(id, 'invalid_value') if writes && bad_value?(arguments['value'], path.length)

    case op
    when 'listen' then listen(arguments['listener'], path)
    when 'unlisten' then remove { |l| l.name == arguments['listener'] && (!arguments.key?('path') || l.path == path) }
    when 'unlisten-all' then remove { |l| l.path == path }
    when 'set', 'remove' then write(id, path, normal(arguments['value']))
    else return false
    end
    true
  end

  def frame(message)
    content = message['d']
    case message['t']
    when 'c' then control(content)
    when 'd' then content.key?('r') ? finish(content['r'], content['b']['s']) : data(content['a'], content['b'])
    end
  end

  # The connection was refused or lost.
  def ended
    @ready = false
    @out.call(setTimer: { timer: BACK_OFF, after: 1000, label: 'back-off' })
  end

  def timer(number)
    @out.call(connect: {}) if number == BACK_OFF
  end

  private

  def control(content)
    if content['t'] == 'h'
      @ready = true
      @listeners.each { |listener| ask_for(listener) }
      @writes.each { |write| send_write(write) }
    elsif content['t'] == 's'
      @ready = false
      @out.call(disconnect: {})
    end
  end

  def data(action, body)
    path = keys(body['p'])
    case action
    when 'd' then @server = put(@server, path, normal(body['d']))
    when 'm' then body['d'].each { |below, value| @server = put(@server, path + keys(below), normal(value)) }
    when 'c' then return remove('permission_denied') { |l| l.path == path }
    end
    show
  end

  def listen(name, path)
    listener = Listener.new(name, path, 0, false, :nothing)
    listener.known = @listeners.any? { |l| l.known && within?(path, l.path) }
    @listeners << listener
    ask_for(listener) if @ready
    show
  end

  def write(id, path, value)
    write = Write.new(id, path, value, 0)
    @writes << write
    send_write(write) if @ready
    show
  end

  # Asks for the data of a listener, unless they come along with those of an earlier one.
  def ask_for(listener)
    other = @listeners.take_while { |l| !l.equal?(listener) }.find { |l| within?(listener.path, l.path) }
    listener.request = other ? other.request : request('q', listener.path, h: '')
  end

  def send_write(write)
    write.request = request('p', write.path, d: write.value)
  end

  def request(action, path, more = {})
    @last_request += 1
    @out.call(send: { t: 'd', d: { r: @last_request, a: action, b: { p: "/#{path.join('/')}" }.merge(more) } })
    @last_request
  end

  # Removes listeners; with an error they are told. When what was asked for ends with them, the server is
  # told, and the others that it served are asked for again.
  def remove(error = nil)
    ended = []
    @listeners.select { |l| yield l }.each do |listener|
      @listeners.delete_if { |l| l.equal?(listener) }
      served = @listeners.any? { |l| l.request == listener.request && within?(listener.path, l.path) }
      if @ready && !served
        ended << listener.request
        request('n', listener.path) unless error
      end
      @out.call(cancelled: { listener: listener.name, error: error }) if error
    end
    @listeners.each { |l| ask_for(l) if ended.include?(l.request) }
  end

  # The server has answered a request.
  def finish(number, status)
    served = @listeners.select { |l| l.request == number }
    served.each { |l| l.known = true }
    served.map(&:path).uniq.each { |path| remove(status) { |l| l.path == path } } unless status == 'ok'
    write = @writes.find { |w| w.request == number }
    @writes.delete(write)
    show
    @out.call(completed: { call: write.call, error: status == 'ok' ? nil : status }) if write
  end

  # A listener sees what the server sent with the pending writes on top; the deepest ones are first.
  def show
    local = @writes.reduce(@server) { |tree, w| put(tree, w.path, w.value) }
    @listeners.each_with_index.sort_by { |l, index| [-l.path.length, index] }.each do |listener, _|
      next unless listener.known || @writes.any? { |w| within?(listener.path, w.path) }

      value = listener.path.reduce(local) { |tree, key| tree.is_a?(Hash) ? tree[key] : nil }
      next if listener.shown == value

      listener.shown = value
      @out.call(event: { listener: listener.name, type: 'value', key: listener.path.last, value: value })
    end
  end

  def threw(id, error)
    @out.call(threw: { call: id, error: error })
    true
  end

  def keys(path)
    path.to_s.split('/').reject(&:empty?)
  end

  def within?(path, ancestor)
    path.first(ancestor.length) == ancestor
  end

  # The tree with a value in place of what is at a path. Trees are never changed.
  def put(tree, path, value)
    return value if path.empty?
    return tree if value.nil? && !tree.is_a?(Hash)

    key = path.first
    children = tree.is_a?(Hash) ? tree.dup : {}
    child = put(children[key], path.drop(1), value)
    child.nil? ? children.delete(key) : children[key] = child
    children.empty? ? nil : children
  end

  # The value without what is nothing.
  def normal(value)
    return value unless value.is_a?(Hash)

    children = value.transform_values { |child| normal(child) }.compact
    children.empty? ? nil : children
  end

  def bad?(key)
    key.match?(/[.\#\$\[\]\x00-\x1f\x7f]/)
  end

  def bad_value?(value, depth)
    return depth > 32 unless value.is_a?(Hash)

    value.any? do |key, child|
      next true if key.empty? || key.include?('/')
      next false if %w[.value .priority].include?(key)

      bad?(key) || bad_value?(child, depth + 1)
    end
  end
end

# -- The protocol -----------------------------------------------------------------------------------

clients = {}
out = ->(line) { $stdout.write(JSON.generate(line), "\n") }

$stdin.each_line do |text|
  request = JSON.parse(text)
  exit if request.key?('bye')
  name = request['client']
  client = clients[name]
  if request.key?('hello')
    # Revision 6 adds the capability frames, several messages in one request, which is not declared here.
    out.call(hello: { protocol: 1, revision: 6, name: 'ruby-example', version: '1.0', capabilities: CAPABILITIES })
  elsif request.key?('reset') then clients.clear
  elsif request.key?('open') then clients[name] = ThinClient.new(out)
  elsif request.key?('kill') then clients.delete(name)
  elsif request.key?('opened') then nil # The server's hello follows.
  elsif request.key?('refused') || request.key?('closed') then client.ended
  elsif request.key?('timer') then client.timer(request['timer']['timer'])
  elsif request.key?('frame') then client.frame(request['frame'])
  elsif !request.key?('call') || !client.call(request['call']['id'], request['call']['op'], request['call'])
    out.call(error: { code: 'not-supported', message: 'not known here' })
  end
  out.call(idle: request['id'])
  $stdout.flush
end
