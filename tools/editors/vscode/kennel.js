// What the extension knows of files and reports of Kennel, without the editor.
"use strict";

const path = require("node:path");

/** What a text is: "scenario", "known" for a list of known failures, "project", or null for anything else. */
function kindOf(file, text) {
  if (path.basename(file) === "kennel.yaml") return "project";
  const has = (key) => new RegExp(`^${key}[ \\t]*:`, "m").test(text);
  if (has("steps") || has("clients")) return "scenario";
  return has("known") ? "known" : null;
}

/**
 * The places that can be run: the title of a scenario, and each entry of a list of known failures.
 * Lines count from 0; the selector is what `kennel run` takes, null for all scenarios of the project.
 */
function runnables(file, text) {
  const kind = kindOf(file, text);
  if (kind === null) return [];
  const lines = text.split(/\r?\n/);
  if (kind === "known") {
    return lines.flatMap((line, number) => {
      const entry = /^\s*-\s+scenario:\s*["']?([^"'#]+?)["']?\s*(#.*)?$/.exec(line);
      return entry ? [{ line: number, selector: entry[1] }] : [];
    });
  }
  const mark = kind === "scenario" ? /^title\s*:/ : /^kennel\s*:/;
  const line = Math.max(0, lines.findIndex((each) => mark.test(each)));
  return [{ line, selector: kind === "scenario" ? file : null }];
}

/** The place to run at a line: the last one that begins at or above it, or else the first. */
function runnableAt(file, text, line) {
  const all = runnables(file, text);
  return all.filter((each) => each.line <= line).pop() ?? all[0] ?? null;
}

function jsonLines(output) {
  return output.split("\n").flatMap((line) => {
    try {
      return line.startsWith("{") ? [JSON.parse(line)] : [];
    } catch {
      return [];
    }
  });
}

/** The mistakes in what `kennel check --format json` printed. */
function mistakes(output) {
  return jsonLines(output).map((each) => ({
    file: each.file, line: each.line, column: each.column, message: each.message, severity: "error",
  }));
}

/**
 * The failures in what `kennel run --format json` printed: one for each divergence, and one for a run without any
 * that did not pass either. What is wrong in the same way in several profiles is one, with all their names.
 */
function failures(output) {
  const found = new Map();
  for (const run of jsonLines(output)) {
    if (!run.verdict || ["pass", "unsupported"].includes(run.verdict)) continue;
    for (const problem of problemsOf(run)) {
      const key = JSON.stringify([problem.file, problem.line, problem.column, problem.message, problem.severity]);
      if (found.has(key)) found.get(key).profiles.push(run.profile);
      else found.set(key, { ...problem, profiles: [run.profile] });
    }
  }
  return [...found.values()];
}

function problemsOf(run) {
  const known = run.known && run.known.standing === "known" ? run.known : null;
  const severity = known ? "known" : run.verdict === "advice" ? "warning" : "error";
  const reference = known ? `known: ${known.issue ?? known.note}` : null;
  const divergences = run.divergences ?? [];
  if (divergences.length === 0) {
    const message = `${run.verdict}: ${run.reason ?? "no reason is known"}`;
    return [{ file: run.file, line: 1, column: 1, message, rules: [], severity, reference, known }];
  }
  return divergences.map((each) => {
    const rows = (each.rows ?? [])
      .filter((row) => row.side !== "same")
      .map((row) => `  ${row.side === "expected" ? "-" : "+"} ${row.text}`);
    return {
      file: each.file, line: each.line ?? 1, column: each.column ?? 1,
      message: [each.sentence, `on ${each.subject}`, ...rows].join("\n"),
      rules: each.rules ?? [], severity, reference, known,
    };
  });
}

/** The counts of a run, as its last line of text has them; null for an output without any. */
function summary(output) {
  const counts = jsonLines(output).map((each) => each.summary).filter(Boolean).pop();
  if (!counts) return null;
  const known = counts.known > 0 ? `, ${counts.known} known` : "";
  return `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped${known}`;
}

module.exports = { kindOf, runnables, runnableAt, mistakes, failures, summary };
