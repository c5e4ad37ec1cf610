import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { satisfies } from './versions.mjs';

/** @import { Check, Finding, Machine } from './machine.ts' */

/**
 * A package in package-lock.json.
 *
 * @typedef {object} LockedPackage
 * @property {string} [version]
 * @property {boolean} [optional]
 * @property {boolean} [link]
 * @property {readonly string[]} [os]
 * @property {readonly string[]} [cpu]
 * @property {readonly string[]} [libc]
 * @property {{ readonly node?: string }} [engines]
 */

/** The packages whose range of Node versions a run depends on. */
const RUNNERS = ['vitest', 'vite', 'tsx'];

/**
 * Compares Node's version with the workbook's range, and with the ranges of the test runner.
 *
 * @type {Check}
 */
export function checkNode({ root, nodeVersion }) {
  const name = 'Node';
  const remedy =
    'Install the LTS version from https://nodejs.org, open a new terminal, and check with: node --version';
  const range = readJson(path.join(root, 'package.json'))?.engines?.node;
  if (typeof range !== 'string')
    return {
      name,
      state: 'problem',
      text: `${root} has no package.json with engines`,
      remedy: 'Run the doctor in a clone of the workbook.',
    };
  if (!satisfies(nodeVersion, range))
    return { name, state: 'problem', text: `${nodeVersion}, but the workbook needs ${range}`, remedy };
  const locked = lockOf(root);
  for (const runner of RUNNERS) {
    const needs = locked[`node_modules/${runner}`]?.engines?.node;
    if (needs !== undefined && !satisfies(nodeVersion, needs))
      return { name, state: 'problem', text: `${nodeVersion}, but ${runner} needs ${needs}`, remedy };
  }
  return { name, state: 'ok', text: nodeVersion };
}

/**
 * Compares node_modules with package-lock.json, package by package.
 *
 * @type {Check}
 */
export function checkPackages({ root }) {
  const name = 'packages';
  const remedy = 'npm ci';
  const locked = Object.entries(lockOf(root)).filter(([place]) => place !== '');
  if (locked.length === 0)
    return {
      name,
      state: 'problem',
      text: 'package-lock.json is missing or unreadable',
      remedy: 'git checkout package-lock.json',
    };
  if (!existsSync(path.join(root, 'node_modules')))
    return { name, state: 'problem', text: 'not installed: node_modules does not exist', remedy };
  const needed = locked.filter(([, { optional, link }]) => !optional && !link);
  const found = needed.map(([place, { version }]) => ({
    place: place.replace(/^node_modules\//, ''),
    wanted: version,
    version: installedVersion(root, place),
  }));
  const missing = found.filter(({ version }) => version === undefined).map(({ place }) => place);
  if (missing.length > 0)
    return {
      name,
      state: 'problem',
      text: `${missing.length} of ${needed.length} are missing: ${some(missing)}`,
      remedy,
    };
  const other = found.filter(({ version, wanted }) => version !== wanted);
  if (other.length > 0)
    return {
      name,
      state: 'problem',
      text: `not the versions of package-lock.json: ${some(
        other.map(({ place, version, wanted }) => `${place} is ${version} instead of ${wanted}`),
      )}`,
      remedy,
    };
  return { name, state: 'ok', text: `${needed.length}, with the versions of package-lock.json` };
}

/**
 * Checks that the packages with native code are built for this machine. A copy of node_modules from another system
 * has other ones.
 *
 * @type {Check}
 */
export function checkBinaries({ root, platform, arch, libc }) {
  const name = 'binaries';
  const here = `${platform}-${arch}${libc === 'musl' ? ' (musl)' : ''}`;
  if (!existsSync(path.join(root, 'node_modules')))
    return { name, state: 'warning', text: 'not checked: node_modules does not exist', remedy: 'npm ci' };
  const native = Object.entries(lockOf(root)).filter(
    ([, { os, cpu }]) => os !== undefined && cpu !== undefined,
  );
  const installed = (/** @type {string} */ place) => existsSync(path.join(root, place));
  const missing = native.filter(
    ([place, wanted]) =>
      wanted.os?.includes(platform) &&
      wanted.cpu?.includes(arch) &&
      (wanted.libc === undefined || libc === undefined || wanted.libc.includes(libc)) &&
      !installed(place),
  );
  if (missing.length === 0) return { name, state: 'ok', text: here };
  const names = missing.map(([place]) => shortOf(place));
  const others = native.filter(
    ([place]) => installed(place) && missing.some(([each]) => familyOf(each) === familyOf(place)),
  );
  if (others.length === 0)
    return { name, state: 'problem', text: `none for ${here}: ${some(names)}`, remedy: 'npm ci' };
  return {
    name,
    state: 'problem',
    text: `node_modules comes from another machine: it has ${shortOf(others[0]?.[0] ?? '')}, and ${here} needs ${some(names)}`,
    remedy: 'Delete the folder node_modules, then type: npm ci',
  };
}

/**
 * @param {string} root
 * @returns {Readonly<Record<string, LockedPackage>>} empty if the file cannot be read
 */
export function lockOf(root) {
  return readJson(path.join(root, 'package-lock.json'))?.packages ?? {};
}

/**
 * @param {string} root
 * @param {string} place `node_modules/vitest`
 * @returns {string | undefined}
 */
function installedVersion(root, place) {
  return readJson(path.join(root, place, 'package.json'))?.version;
}

/**
 * Returns the names of the stubs that do not exist, relative to the workbook. A kata has a stub for the test file
 * without a further dot.
 *
 * @param {string} root
 * @returns {{ readonly katas: readonly string[], readonly missing: readonly string[] }}
 */
export function stubsIn(root) {
  const katas = namesIn(path.join(root, 'katas')).filter((name) => /^\d\d-/.test(name));
  const missing = katas.flatMap((kata) => {
    const names = namesIn(path.join(root, 'katas', kata));
    const tests = names.filter((name) => /^[^.]+\.test\.ts$/.test(name));
    const stubs = tests.map((name) => name.replace('.test.ts', '.ts'));
    return stubs.filter((name) => !names.includes(name)).map((name) => `katas/${kata}/${name}`);
  });
  return { katas, missing };
}

/**
 * Returns the sorted names in a folder; empty if it does not exist.
 *
 * @param {string} folder
 * @returns {readonly string[]}
 */
export function namesIn(folder) {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/**
 * @param {string} file
 * @returns {any} undefined if the file does not exist or does not hold JSON
 */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Lists at most three names.
 *
 * @param {readonly string[]} names
 * @returns {string}
 */
function some(names) {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}

const shortOf = (/** @type {string} */ place) => place.replace(/^.*node_modules\//, '');

/** The part of a name before the platform: `@esbuild`, `lightningcss`. */
const familyOf = (/** @type {string} */ place) => /^@[^/]+|^[^-]+/.exec(shortOf(place))?.[0];
