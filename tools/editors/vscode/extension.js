// Kennel in Visual Studio Code: runs the scenario at the cursor, and shows mistakes and failures at their lines.
"use strict";

const { execFile } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");
const kennel = require("./kennel.js");

/** What is shown, by what found it. */
let found, output;

function activate(context) {
  output = vscode.window.createOutputChannel("Kennel");
  found = {
    check: vscode.languages.createDiagnosticCollection("kennel-check"),
    run: vscode.languages.createDiagnosticCollection("kennel-run"),
  };
  const checkIfWanted = (document) => {
    if (settings(document.uri).get("checkOnSave")) return check(document);
  };
  context.subscriptions.push(
    output, found.check, found.run,
    vscode.commands.registerCommand("kennel.run", runAtCursor),
    vscode.commands.registerCommand("kennel.runAll", () => run(null, activeFile())),
    vscode.commands.registerCommand("kennel.check", () => check(vscode.window.activeTextEditor?.document)),
    vscode.languages.registerCodeLensProvider({ language: "yaml" }, { provideCodeLenses }),
    vscode.workspace.onDidOpenTextDocument(checkIfWanted),
    vscode.workspace.onDidSaveTextDocument(checkIfWanted),
    vscode.workspace.onDidCloseTextDocument((document) => found.check.delete(document.uri)),
  );
  for (const document of vscode.workspace.textDocuments) checkIfWanted(document);
}

function settings(uri) {
  return vscode.workspace.getConfiguration("kennel", uri);
}

function activeFile() {
  return vscode.window.activeTextEditor?.document.uri.fsPath;
}

/** A line above each place that can be run. */
function provideCodeLenses(document) {
  return kennel.runnables(document.uri.fsPath, document.getText()).map(({ line, selector }) =>
    new vscode.CodeLens(new vscode.Range(line, 0, line, 0), {
      title: selector === null ? "Run all" : "Run",
      command: selector === null ? "kennel.runAll" : "kennel.run",
      arguments: selector === null ? [] : [selector],
    }));
}

/** The folder to start in: that of the nearest project file above a file, or else of the workspace. */
function folderOf(file) {
  for (let folder = file && path.dirname(file); folder; folder = path.dirname(folder)) {
    if (fs.existsSync(path.join(folder, "kennel.yaml"))) return folder;
    if (folder === path.dirname(folder)) break;
  }
  return vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? (file ? path.dirname(file) : process.cwd());
}

/** Starts the program, without a shell. Gives what it printed; a program that does not start is a message. */
function start(words, file) {
  const folder = folderOf(file);
  const program = settings(file && vscode.Uri.file(file)).get("program");
  return new Promise((resolve) => {
    execFile(program, words, { cwd: folder, maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      if (error && typeof error.code !== "number") {
        const reason = error.code === "ENOENT" ? "there is no such program" : error.message;
        vscode.window.showErrorMessage(
          `Kennel: cannot start ${program}: ${reason}. Name it in the setting kennel.program.`);
        resolve(null);
      } else {
        resolve({ folder, stdout, stderr });
      }
    });
  });
}

async function check(document) {
  if (!document || document.uri.scheme !== "file") return;
  const file = document.uri.fsPath;
  if (kennel.kindOf(file, document.getText()) === null) return found.check.delete(document.uri);
  const ended = await start(["check", "--format", "json", file], file);
  if (!ended) return;
  // Mistakes of a fragment stand in its own file, which is shown with the scenario that includes it.
  found.check.delete(document.uri);
  show(found.check, kennel.mistakes(ended.stdout), ended.folder);
}

async function runAtCursor(selector) {
  const editor = vscode.window.activeTextEditor;
  if (typeof selector !== "string") {
    if (!editor) return;
    const { document, selection } = editor;
    const place = kennel.runnableAt(document.uri.fsPath, document.getText(), selection.active.line);
    if (!place) return vscode.window.showInformationMessage("Kennel: this file has no scenario to run.");
    selector = place.selector;
  }
  await run(selector, activeFile());
}

async function run(selector, file) {
  await vscode.workspace.saveAll(false);
  const words = ["run", "--format", "json", ...(selector === null ? [] : [selector])];
  const ended = await start(words, file);
  if (!ended) return;
  const failures = kennel.failures(ended.stdout);
  const summary = kennel.summary(ended.stdout);
  found.run.clear();
  show(found.run, failures, ended.folder);
  output.clear();
  output.append(text(selector, failures, ended.stderr, summary));
  if (summary === null || failures.some((each) => each.severity === "error")) output.show(true);
  vscode.window.setStatusBarMessage(`Kennel: ${summary ?? "nothing was run"}`, 10000);
}

/** What the output shows of a run. */
function text(selector, failures, messages, summary) {
  const parts = failures.map((each) =>
    `${each.file}:${each.line}:${each.column}: ${headline(each)}\n  in ${each.profiles.join(", ")}\n`);
  return `kennel run ${selector ?? ""}\n${messages}${parts.join("")}${summary ?? "nothing was run"}\n`;
}

function headline(problem) {
  return problem.reference ? `${problem.message} (${problem.reference})` : problem.message;
}

/** Puts problems at their lines. */
function show(collection, problems, folder) {
  const files = new Map();
  for (const problem of problems) {
    const file = path.resolve(folder, problem.file);
    files.set(file, [...(files.get(file) ?? []), diagnostic(problem, folder)]);
  }
  for (const [file, diagnostics] of files) collection.set(vscode.Uri.file(file), diagnostics);
}

function diagnostic(problem, folder) {
  const line = problem.line - 1;
  const range = new vscode.Range(line, problem.column - 1, line, Number.MAX_SAFE_INTEGER);
  const { Error, Warning, Information } = vscode.DiagnosticSeverity;
  const severity = { error: Error, warning: Warning, known: Information }[problem.severity];
  const item = new vscode.Diagnostic(range, headline(problem), severity);
  item.source = "kennel";
  if (problem.rules?.length) item.code = problem.rules.join(", ");
  if (problem.known?.file) {
    const list = vscode.Uri.file(path.resolve(folder, problem.known.file));
    const entry = new vscode.Position((problem.known.line ?? 1) - 1, 0);
    item.relatedInformation = [
      new vscode.DiagnosticRelatedInformation(new vscode.Location(list, entry), "listed as known"),
    ];
  }
  return item;
}

function deactivate() {}

module.exports = { activate, deactivate };
