import { asJson, conclusion, diagnose, findingLines, isReady } from './diagnose.mjs';

/** @import { Finding, Machine } from './machine.ts' */

/** The output of the doctor: `print` writes a line to stdout, `complain` to stderr. */
const CONSOLE = {
  print: (/** @type {string} */ line) => console.log(line),
  complain: (/** @type {string} */ line) => console.error(line),
};

/**
 * Examines whether a machine is ready for the workbook, and prints a line for each check. `--json` prints the findings
 * for a program instead.
 *
 * @param {Machine} machine
 * @param {readonly string[]} words the options, as typed
 * @param {typeof CONSOLE} [terminal]
 * @returns {Promise<number>} the exit code: 0 if a learner can begin
 */
export async function doctor(machine, words, terminal = CONSOLE) {
  const unknown = words.find((word) => word !== '--json');
  if (unknown !== undefined) {
    terminal.complain(
      `Failed to understand ${unknown}: the doctor takes only --json. Type: npm run doctor, or npm run doctor -- --json`,
    );
    return 1;
  }
  const isJson = words.includes('--json');
  const { NO_COLOR, TERM } = machine.env;
  const colours = machine.terminal.isTTY && !NO_COLOR && TERM !== 'dumb';
  const print = (/** @type {Finding} */ finding) => {
    for (const line of findingLines(finding, colours)) terminal.print(line);
  };
  const findings = await diagnose(machine, isJson ? undefined : print);
  terminal.print(isJson ? asJson(findings) : `\n${conclusion(findings)}`);
  return isReady(findings) ? 0 : 1;
}
