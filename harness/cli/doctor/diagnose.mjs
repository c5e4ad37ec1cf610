import { checkEditor, checkFiles, checkGit, checkStubs, checkWatch } from './folder.mjs';
import { checkBinaries, checkNode, checkPackages } from './packages.mjs';
import { checkKubectl, checkMemory, checkPort, checkTerminal } from './system.mjs';
import { checkTrial } from './trial.mjs';

/** @import { Finding, Machine } from './machine.ts' */

const CHECKS = [
  checkNode,
  checkPackages,
  checkBinaries,
  checkGit,
  checkStubs,
  checkFiles,
  checkWatch,
  checkMemory,
  checkEditor,
  checkPort,
  checkKubectl,
  checkTerminal,
];

/**
 * Examines a machine. The last finding is a real test, which runs only if nothing else keeps it from running.
 *
 * @param {Machine} machine
 * @param {(finding: Finding) => void} [report] receives each finding as soon as it is known
 * @returns {Promise<readonly Finding[]>}
 */
export async function diagnose(machine, report = () => {}) {
  /** @type {Finding[]} */
  const findings = [];
  const add = (/** @type {Finding} */ finding) => {
    findings.push(finding);
    report(finding);
  };
  for (const check of CHECKS) add(await check(machine));
  const problems = findings.filter(({ state }) => state === 'problem');
  if (problems.length === 0) add(await checkTrial(machine));
  else
    add({
      name: 'a test',
      state: 'warning',
      text: `not run, because of: ${problems.map(({ name }) => name).join(', ')}`,
      remedy: 'Repair these first.',
    });
  return findings;
}

/**
 * Returns whether a learner can begin.
 *
 * @param {readonly Finding[]} findings
 * @returns {boolean}
 */
export function isReady(findings) {
  return findings.every(({ state }) => state !== 'problem');
}

/** @type {Readonly<Record<Finding['state'], readonly [mark: string, colour: number]>>} */
const MARKS = { ok: ['✓', 32], warning: ['!', 33], problem: ['✗', 31] };

/**
 * Renders one finding: a line, and below it the remedy.
 *
 * @param {Finding} finding
 * @param {boolean} colours
 * @returns {readonly string[]}
 */
export function findingLines({ name, state, text, remedy }, colours) {
  const [mark, colour] = MARKS[state];
  const painted = colours ? `\u001b[${colour}m${mark}\u001b[39m` : mark;
  const line = `${painted} ${name.padEnd(9)} ${text}`;
  return remedy === undefined ? [line] : [line, `            → ${remedy}`];
}

/**
 * Renders the conclusion.
 *
 * @param {readonly Finding[]} findings
 * @returns {string}
 */
export function conclusion(findings) {
  const count = (/** @type {Finding['state']} */ wanted) =>
    findings.filter(({ state }) => state === wanted).length;
  const [problems, warnings] = [count('problem'), count('warning')];
  if (problems > 0)
    return `This machine is not ready: repair ${problems === 1 ? 'the line' : `the ${problems} lines`} marked ✗, then type npm run doctor again.`;
  const noted =
    warnings === 0
      ? ''
      : ` ${warnings === 1 ? 'The line' : `The ${warnings} lines`} marked ! can wait until you need that part.`;
  return `This machine is ready: npm start, then npm run kata.${noted}`;
}

/**
 * Renders all findings for a program: `{ "version": 1, "ready": true, "findings": [{ "name", "state", "text", "remedy" }] }`.
 *
 * @param {readonly Finding[]} findings
 * @returns {string}
 */
export function asJson(findings) {
  return JSON.stringify({ version: 1, ready: isReady(findings), findings }, undefined, 2);
}
