import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, watch, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';

/** @import { Machine, Run } from './machine.ts' */

/**
 * Describes the computer that runs this process. Uses only calls of Node 16, so that an old Node gets a report, too.
 *
 * @param {string} root the workbook's folder
 * @returns {Machine}
 */
export function thisMachine(root) {
  const { platform } = process;
  return {
    root,
    nodeVersion: process.versions.node,
    platform,
    arch: process.arch,
    libc: platform === 'linux' ? libcOf() : undefined,
    kernel: os.release(),
    env: process.env,
    cores: os.cpus().length,
    memory: memoryHere(),
    mounts: mountsOf(platform),
    watchesMax: numberIn('/proc/sys/fs/inotify/max_user_watches'),
    terminal: { isTTY: process.stdout.isTTY === true, columns: process.stdout.columns },
    files: {
      makeFolder: (folder) => void mkdirSync(folder, { recursive: true }),
      write: (file, text) => writeFileSync(file, text),
      read: (file) => readFileSync(file, 'utf8'),
      rename: (from, to) => renameSync(from, to),
      remove: (place) => rmSync(place, { recursive: true, force: true }),
    },
    run: (program, args, { limitMs = 30_000 } = {}) => run(root, program, args, limitMs),
    watch: (folder, onChange) => {
      const watcher = watch(folder, onChange);
      // A watch that breaks reports nothing more, and the check says so.
      watcher.on('error', () => {});
      return () => watcher.close();
    },
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    listen,
    nowMs: () => Date.now(),
  };
}

/**
 * @param {string} cwd
 * @param {string} program
 * @param {readonly string[]} args
 * @param {number} limitMs
 * @returns {Promise<Run>}
 */
function run(cwd, program, args, limitMs) {
  return new Promise((resolve) => {
    let out = '';
    let late = false;
    const env = { ...process.env, NO_COLOR: '1' };
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
    const limit = setTimeout(() => {
      late = true;
      child.kill('SIGKILL');
      // A grandchild may keep the pipes open.
      child.stdout.destroy();
      child.stderr.destroy();
    }, limitMs);
    const end = (/** @type {number | null} */ status, /** @type {boolean} */ missing) => {
      clearTimeout(limit);
      resolve({ status: late ? null : status, missing, late, out });
    };
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (out += data));
    child.on('error', () => end(null, true));
    child.on('close', (status) => end(status, false));
  });
}

/**
 * @param {number} port
 * @returns {Promise<string | undefined>}
 */
function listen(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (/** @type {NodeJS.ErrnoException} */ error) =>
      resolve(error.code ?? error.message),
    );
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(undefined)));
  });
}

/** @returns {'glibc' | 'musl'} */
function libcOf() {
  const report = /** @type {{ header?: { glibcVersionRuntime?: string } } | undefined} */ (
    process.report?.getReport()
  );
  return report?.header?.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
}

/** Returns the memory of the machine, or of the container if that has less. */
function memoryHere() {
  // cgroup 2, then cgroup 1.
  const limit =
    numberIn('/sys/fs/cgroup/memory.max') ?? numberIn('/sys/fs/cgroup/memory/memory.limit_in_bytes');
  const used =
    numberIn('/sys/fs/cgroup/memory.current') ?? numberIn('/sys/fs/cgroup/memory/memory.usage_in_bytes') ?? 0;
  const totalBytes = Math.min(os.totalmem(), limit ?? Number.POSITIVE_INFINITY);
  const freeBytes = Math.min(os.freemem(), limit === undefined ? Number.POSITIVE_INFINITY : limit - used);
  return { totalBytes, freeBytes };
}

/**
 * @param {string} platform
 * @returns {string}
 */
function mountsOf(platform) {
  if (platform === 'linux') return textIn('/proc/mounts');
  return platform === 'darwin' ? String(spawnSync('mount', { encoding: 'utf8' }).stdout ?? '') : '';
}

/**
 * @param {string} file
 * @returns {number | undefined}
 */
function numberIn(file) {
  const text = textIn(file).trim();
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/**
 * @param {string} file
 * @returns {string} empty if the file cannot be read
 */
function textIn(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
