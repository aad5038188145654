// Tries the extension with a stand-in for the editor: node test.js FOLDER-OF-THE-EXTENSION
//
// A stand-in answers for the program, too. Where KENNEL names the program, that is tried as well.
"use strict";

const assert = require("node:assert/strict");
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const Module = require("node:module");
const os = require("node:os");
const path = require("node:path");

const extensionFolder = path.resolve(process.argv[2] ?? path.join(__dirname, "vscode"));
const work = fs.mkdtempSync(path.join(os.tmpdir(), "kennel-editor-"));
process.on("exit", () => fs.rmSync(work, { recursive: true, force: true }));

/** The parts of the editor that the extension uses. */
function makeEditor(program) {
  const editor = { commands: new Map(), shown: [], marks: new Map(), listeners: {}, output: "", lenses: null };
  class Uri {
    constructor(fsPath) { Object.assign(this, { scheme: "file", fsPath }); }
    static file(fsPath) { return new Uri(fsPath); }
  }
  class Position { constructor(line, character) { Object.assign(this, { line, character }); } }
  class Range {
    constructor(line, column, endLine, endColumn) {
      assert(line >= 0 && column >= 0, "a range begins within a file");
      this.start = new Position(line, column);
      this.end = new Position(endLine, endColumn);
    }
  }
  class Diagnostic { constructor(range, message, severity) { Object.assign(this, { range, message, severity }); } }
  class Location { constructor(uri, position) { Object.assign(this, { uri, position }); } }
  class DiagnosticRelatedInformation {
    constructor(location, message) { Object.assign(this, { location, message }); }
  }
  class CodeLens { constructor(range, command) { Object.assign(this, { range, command }); } }
  const disposable = { dispose() {} };
  const on = (name) => (listener) => { editor.listeners[name] = listener; return disposable; };
  editor.api = {
    Uri, Position, Range, Diagnostic, Location, DiagnosticRelatedInformation, CodeLens,
    DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
    commands: {
      registerCommand(name, action) { editor.commands.set(name, action); return disposable; },
    },
    languages: {
      createDiagnosticCollection(name) {
        const marks = new Map();
        editor.marks.set(name, marks);
        return {
          set: (uri, all) => marks.set(uri.fsPath, all), delete: (uri) => marks.delete(uri.fsPath),
          clear: () => marks.clear(), dispose() {},
        };
      },
      registerCodeLensProvider(_, provider) { editor.lenses = provider; return disposable; },
    },
    window: {
      activeTextEditor: undefined,
      createOutputChannel: () => ({
        append: (text) => { editor.output += text; }, clear: () => { editor.output = ""; }, show() {}, dispose() {},
      }),
      showErrorMessage: (text) => editor.shown.push(text),
      showInformationMessage: (text) => editor.shown.push(text),
      setStatusBarMessage: (text) => { editor.status = text; },
    },
    workspace: {
      textDocuments: [], workspaceFolders: [{ uri: Uri.file(work) }], saveAll: async () => true,
      getConfiguration: () => ({ get: (key) => ({ program, checkOnSave: true })[key] }),
      onDidOpenTextDocument: on("open"), onDidSaveTextDocument: on("save"), onDidCloseTextDocument: on("close"),
    },
  };
  editor.open = (name, text) => {
    const file = path.join(work, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
    const document = { uri: Uri.file(file), getText: () => text };
    editor.api.window.activeTextEditor = { document, selection: { active: new Position(0, 0) } };
    return document;
  };
  editor.marksOf = (name, document) => editor.marks.get(name).get(document.uri.fsPath) ?? [];
  return editor;
}

/** The extension, in an editor whose setting names a program. */
function activate(program) {
  const editor = makeEditor(program);
  const load = Module._load;
  Module._load = (name, ...rest) => (name === "vscode" ? editor.api : load(name, ...rest));
  try {
    const file = path.join(extensionFolder, "extension.js");
    delete require.cache[require.resolve(file)];
    require(file).activate({ subscriptions: [] });
  } finally {
    Module._load = load;
  }
  return editor;
}

/** A program that prints a text, and leaves its words and its folder in a file. */
function standIn(text, exitCode = 0) {
  const file = path.join(work, `program-${fs.readdirSync(work).length}`);
  fs.writeFileSync(
    file,
    `#!${process.execPath}\nrequire("fs").writeFileSync(${JSON.stringify(file + ".call")}, `
      + `JSON.stringify([process.cwd(), ...process.argv.slice(2)]));\nprocess.stdout.write(${JSON.stringify(text)});\n`
      + `process.exitCode = ${exitCode};\n`,
    { mode: 0o755 });
  return { file, call: () => JSON.parse(fs.readFileSync(file + ".call", "utf8")) };
}

const scenario = "kennel: 1\ntitle: T\nrules: [EVT-1]\nclients: [alice]\nsteps:\n  - alice.go-offline\n";
const list = "kennel: 1\nknown:\n  - scenario: limits/refill\n    kind: bug\n  - scenario: 'writes/*' # all\n";
const divergence = {
  sentence: "expected b, but the client raised a", subject: "alice.l = /room", file: "s.yaml", line: 6, column: 5,
  rules: ["EVT-1"], rows: [{ side: "same", text: "x" }, { side: "expected", text: "b" }, { side: "observed", text: "a" }],
};
const run = (more) => JSON.stringify({ file: "s.yaml", verdict: "fail", divergences: [divergence], ...more }) + "\n";
const counts = (more) => JSON.stringify({ summary: { passed: 1, failed: 0, skipped: 0, known: 0, ...more } }) + "\n";

const tests = {
  async "a file is recognised by its content"() {
    const { kindOf } = require(path.join(extensionFolder, "kennel.js"));
    assert.deepEqual(
      [["a.yaml", scenario], ["b.yaml", list], ["x/kennel.yaml", "kennel: 1\n"], ["c.yaml", "on: push\n"]]
        .map(([file, text]) => kindOf(file, text)),
      ["scenario", "known", "project", null]);
  },

  async "what is run follows from the line of the cursor"() {
    const { runnableAt } = require(path.join(extensionFolder, "kennel.js"));
    const at = (file, text, line) => runnableAt(file, text, line)?.selector;
    assert.equal(at("s.yaml", scenario, 0), "s.yaml");
    assert.equal(at("k.yaml", list, 3), "limits/refill");
    assert.equal(at("k.yaml", list, 4), "writes/*");
    assert.equal(at("kennel.yaml", "kennel: 1\n", 0), null);
    assert.equal(at("ci.yaml", "on: push\n", 0), undefined);
  },

  async "mistakes are marked where they are, and go when they are corrected"() {
    const mistake = { file: "s.yaml", line: 3, column: 2, message: "unknown key \"rule\"" };
    const program = standIn(JSON.stringify(mistake) + "\n", 2);
    const editor = activate(program.file);
    const document = editor.open("s.yaml", scenario);
    await editor.listeners.save(document);
    assert.deepEqual(program.call(), [work, "check", "--format", "json", document.uri.fsPath]);
    const [mark] = editor.marksOf("kennel-check", document);
    assert.deepEqual([mark.range.start.line, mark.range.start.character, mark.severity], [2, 1, 0]);
    assert.equal(mark.message, mistake.message);
    fs.copyFileSync(standIn("").file, program.file);
    await editor.listeners.save(document);
    assert.deepEqual(editor.marksOf("kennel-check", document), []);
  },

  async "files of other programs are left alone"() {
    const program = standIn("");
    const editor = activate(program.file);
    await editor.listeners.open(editor.open("ci.yaml", "on: push\n"));
    assert.throws(program.call);
  },

  async "a failure is marked once, with its profiles, rule and rows"() {
    const program = standIn(run({ profile: "firebase" }) + run({ profile: "wilddog-1" }) + counts({ failed: 2 }), 1);
    const editor = activate(program.file);
    const document = editor.open("s.yaml", scenario);
    await editor.commands.get("kennel.run")();
    assert.deepEqual(program.call(), [work, "run", "--format", "json", document.uri.fsPath]);
    const marks = editor.marksOf("kennel-run", document);
    assert.equal(marks.length, 1);
    assert.deepEqual([marks[0].range.start.line, marks[0].severity, marks[0].code], [5, 0, "EVT-1"]);
    assert.match(marks[0].message, /raised a\non alice\.l = \/room\n  - b\n  \+ a$/);
    assert.match(editor.output, /in firebase, wilddog-1/);
    assert.match(editor.status, /1 passed, 2 failed, 0 skipped/);
  },

  async "a known failure is information, with its issue and its entry"() {
    const known = { standing: "known", issue: "https://example.org/7", file: "known.yaml", line: 4 };
    const editor = activate(standIn(run({ known }) + counts({ known: 1 })).file);
    const document = editor.open("s.yaml", scenario);
    await editor.commands.get("kennel.run")();
    const [mark] = editor.marksOf("kennel-run", document);
    assert.equal(mark.severity, 2);
    assert.match(mark.message, /\(known: https:\/\/example\.org\/7\)$/);
    assert.equal(mark.relatedInformation[0].location.uri.fsPath, path.join(work, "known.yaml"));
    assert.equal(mark.relatedInformation[0].location.position.line, 3);
  },

  async "a failure that is listed but differs is an error"() {
    const editor = activate(standIn(run({ known: { standing: "different" } }) + counts({ failed: 1 }), 1).file);
    const document = editor.open("s.yaml", scenario);
    await editor.commands.get("kennel.run")();
    assert.equal(editor.marksOf("kennel-run", document)[0].severity, 0);
  },

  async "a run without a divergence that did not pass is marked at the top"() {
    const text = run({ verdict: "crash", divergences: [], reason: "the adapter ended" }) + counts({ failed: 1 });
    const editor = activate(standIn(text, 1).file);
    const document = editor.open("s.yaml", scenario);
    await editor.commands.get("kennel.run")();
    const [mark] = editor.marksOf("kennel-run", document);
    assert.deepEqual([mark.range.start.line, mark.message], [0, "crash: the adapter ended"]);
  },

  async "each place that can be run has a line above it"() {
    const editor = activate("none");
    const titles = (document) =>
      editor.lenses.provideCodeLenses(document).map((lens) =>
        [lens.range.start.line, lens.command.command, ...lens.command.arguments]);
    const document = editor.open("s.yaml", scenario);
    assert.deepEqual(titles(document), [[1, "kennel.run", document.uri.fsPath]]);
    assert.deepEqual(
      titles(editor.open("k.yaml", list)), [[2, "kennel.run", "limits/refill"], [4, "kennel.run", "writes/*"]]);
    assert.deepEqual(titles(editor.open("p/kennel.yaml", "kennel: 1\n")), [[0, "kennel.runAll"]]);
  },

  async "it starts in the folder of the nearest project file"() {
    const program = standIn(counts());
    const editor = activate(program.file);
    editor.open("project/kennel.yaml", "kennel: 1\n");
    editor.open("project/tests/deep/s.yaml", scenario);
    await editor.commands.get("kennel.runAll")();
    assert.deepEqual(program.call(), [path.join(work, "project"), "run", "--format", "json"]);
  },

  async "a program that is not there is a message that names the setting"() {
    const editor = activate(path.join(work, "nowhere"));
    await editor.listeners.open(editor.open("s.yaml", scenario));
    assert.match(editor.shown[0], /cannot start .*nowhere: there is no such program\. .*kennel\.program/);
  },

  async "the commands and the patterns are those of the manifest"() {
    const manifest = JSON.parse(fs.readFileSync(path.join(extensionFolder, "package.json"), "utf8"));
    const github = JSON.parse(fs.readFileSync(path.join(__dirname, "problem-matchers.json"), "utf8"));
    const { commands, problemMatchers } = manifest.contributes;
    assert.deepEqual(commands.map((each) => each.command).sort(), [...activate("none").commands.keys()].sort());
    assert.deepEqual(
      problemMatchers.map(({ owner, pattern }) => ({ owner, pattern })), github.problemMatcher);
  },

  async "the patterns find what the program prints"() {
    const printed = [
      "s.yaml:3:1: unknown key \"rule\"; did you mean rules?", "kennel: 1 problem in scenario files; nothing was run",
      "FAIL  A long title", "      step 4 of 4   rule LIM-7", "      a b/s.yaml:20", "", "  expected b", "  on  alice.l",
      "FAIL  Short   step 2 of 2   rule EVT-1", "      t.yaml:6", "", "  the call ended", "",
      "  FAIL  limits/refill  firebase",
    ];
    assert.deepEqual(matches("kennel-check", printed), [
      { file: "s.yaml", line: "3", column: "1", message: "unknown key \"rule\"; did you mean rules?" },
    ]);
    assert.deepEqual(matches("kennel-run", printed), [
      { file: "a b/s.yaml", line: "20", message: "expected b" }, { file: "t.yaml", line: "6", message: "the call ended" },
    ]);
  },
};

/** What a problem matcher finds in lines, as editors and workflows read them. */
function matches(owner, lines) {
  const { problemMatcher } = JSON.parse(fs.readFileSync(path.join(__dirname, "problem-matchers.json"), "utf8"));
  const patterns = problemMatcher.find((each) => each.owner === owner).pattern;
  return lines.flatMap((_, start) => {
    const found = {};
    for (const [index, pattern] of patterns.entries()) {
      const match = new RegExp(pattern.regexp).exec(lines[start + index] ?? "no line");
      if (!match) return [];
      for (const part of ["file", "line", "column", "message"]) if (pattern[part]) found[part] = match[pattern[part]];
    }
    return [found];
  });
}

/** The same with the program itself. */
function testsOfProgram(program) {
  const home = path.resolve(__dirname, "../..");
  process.env.KENNEL_HOME = process.env.KENNEL_HOME ?? home;
  const wrong = scenario.replace("rules:", "rule:");
  const failing = "limits/refill-after-foreign-removal";
  const printed = (...words) => {
    try {
      return execFileSync(program, words, { cwd: work, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    } catch (error) {
      return error.stdout + error.stderr;
    }
  };
  return {
    async "mistakes that the program finds are marked"() {
      const editor = activate(program);
      const document = editor.open("wrong.yaml", wrong);
      await editor.listeners.open(document);
      const lines = editor.marksOf("kennel-check", document).map((mark) => mark.range.start.line);
      assert(lines.includes(2), `no mark at the third line, but at ${lines}`);
    },

    async "failures that the program finds are marked, and known when they are listed"() {
      const text = fs.readFileSync(path.join(home, "Scenarios", failing + ".yaml"), "utf8");
      const wrapper = standIn("").file;
      const words = ["--client", "no-refill", "--profile", "firebase"];
      const start = (more) =>
        `#!/bin/sh\nexec '${program}' "$@" ${[...words, ...more].join(" ")}\n`;
      fs.writeFileSync(wrapper, start([]));
      const marked = activate(wrapper);
      const document = marked.open("own/s.yaml", text);
      await marked.commands.get("kennel.run")();
      const [mark] = marked.marksOf("kennel-run", document);
      assert.equal(mark?.severity, 0, marked.output);
      printed("known", "--update", "known.yaml", "--issue", "https://example.org/7", ...words, document.uri.fsPath);
      fs.writeFileSync(wrapper, start(["--known", path.join(work, "known.yaml")]));
      await marked.commands.get("kennel.run")();
      assert.equal(marked.marksOf("kennel-run", document)[0]?.severity, 2, marked.output);
    },

    async "the patterns find what the program prints as text"() {
      fs.writeFileSync(path.join(work, "wrong.yaml"), wrong);
      const found = matches("kennel-check", printed("check", "wrong.yaml").split("\n"));
      assert(found.some((each) => each.file === "wrong.yaml" && each.line === "3"), JSON.stringify(found));
      const run = printed("run", failing, "--client", "no-refill", "--profile", "firebase").split("\n");
      const [first, ...rest] = matches("kennel-run", run);
      assert.match(first?.file ?? "", /refill-after-foreign-removal\.yaml$/);
      assert.match(first.message, /^expected /);
      assert.deepEqual(rest, []);
    },

    async "the extension has the version of the program"() {
      const manifest = JSON.parse(fs.readFileSync(path.join(extensionFolder, "package.json"), "utf8"));
      assert.equal(printed("--version").split(/[ \n]/)[1], manifest.version);
    },
  };
}

(async () => {
  const all = { ...tests, ...(process.env.KENNEL ? testsOfProgram(process.env.KENNEL) : {}) };
  let failed = 0;
  for (const [name, test] of Object.entries(all)) {
    try {
      await test();
    } catch (error) {
      failed += 1;
      console.log(`FAIL  ${name}\n${error.stack}`);
    }
  }
  console.log(`${Object.keys(all).length - failed} passed, ${failed} failed, 0 skipped`);
  process.exitCode = failed > 0 ? 1 : 0;
})();
