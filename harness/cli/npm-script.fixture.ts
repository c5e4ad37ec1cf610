import { spawnSync } from 'node:child_process';
import path from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };

const root = path.resolve(import.meta.dirname, '../..');

/** Runs the command of a script in package.json to its end, as npm does. */
export function runScript(script: 'start' | 'kata', words: readonly string[] = []) {
  const [program, ...args] = packageJson.scripts[script].split(' ');
  const before = program === 'tsx' ? [path.join(root, 'node_modules/tsx/dist/cli.mjs')] : [];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...before, ...args, ...words], {
    cwd: root,
    env: { PATH: process.env.PATH, INIT_CWD: root },
    encoding: 'utf8',
  });
  return { status, out: stdout, err: stderr };
}
