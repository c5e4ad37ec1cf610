import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../workbook/sources.ts';
import type { Measured, ProgramOptions } from './program.ts';

/** Runs a program in a process of its own. */
export type RunProgram = (options: ProgramOptions) => Promise<Measured>;

/**
 * Bundles both programs with the same settings, as JavaScript, so that no measurement includes the translation of
 * TypeScript or the search for modules. A process starts without any compiled code.
 */
export async function bundlePrograms(): Promise<Readonly<Record<'ours' | 'webernetes', RunProgram>>> {
  const { build } = await import('esbuild');
  const outdir = path.join(root, 'node_modules/.cache/kubernetes-katas/webernetes');
  rmSync(outdir, { recursive: true, force: true });
  await build({
    absWorkingDir: root,
    entryPoints: {
      ours: path.join(import.meta.dirname, 'our-program.ts'),
      webernetes: path.join(import.meta.dirname, 'webernetes-program.ts'),
    },
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // A module that a program imports later is read later.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['solution'],
    // The package yaml is CommonJS.
    banner: {
      js: "import{createRequire as bundled}from'node:module';const require=bundled(import.meta.url);",
    },
    logLevel: 'error',
  });
  const run =
    (name: string): RunProgram =>
    async (options) => {
      const args = [path.join(outdir, `${name}.mjs`), JSON.stringify(options)];
      const { stdout } = await promisify(execFile)(process.execPath, args);
      return JSON.parse(stdout);
    };
  return { ours: run('ours'), webernetes: run('webernetes') };
}
