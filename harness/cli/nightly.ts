import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { nightlyParts, runNightly } from './nightly-command.ts';
import { main, root, terminal } from './terminal.ts';

/** `npm run nightly`: everything that takes minutes. `npm run nightly -- judge soak` runs these two parts alone. */
await main(async () => {
  // Another seed each day.
  const seed = Math.floor(Date.now() / 86_400_000) * 1_000;
  await runNightly(nightlyParts(seed), process.argv.slice(2), {
    terminal,
    nowMs: () => performance.now(),
    run: async ({ command, env }) => {
      const options = { cwd: root, env: { ...process.env, ...env }, shell: true, stdio: 'inherit' } as const;
      const child = spawn(command, options);
      const [code] = (await once(child, 'exit')) as [number | null];
      // A process that was killed by a signal has no exit code.
      return code ?? 1;
    },
  });
});
