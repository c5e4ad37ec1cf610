import { realpathSync } from 'node:fs';
import path from 'node:path';
import type { ViteUserConfig } from 'vitest/config';
import type { Reporter } from 'vitest/node';
import { OWN_FILES } from '../cluster/own-components.ts';
import type { Bundle } from './bundle.ts';
import { bundled } from './bundle-plugin.ts';
import { tellCatches } from './catch-plugin.ts';
import { EndGuard } from './end-guard.ts';
import { Gate } from './gate.ts';
import { judged, mistaken } from './judge-plugin.ts';
import { kataPool, kataSequencer } from './kata-pool.ts';
import { LAST_WORDS } from './last-words.ts';
import { ownComponents, ownComponentsByKata } from './own-components-plugin.ts';
import { realTimeImports } from './real-time-guard-plugin.ts';
import { KataReporter } from './reporter.ts';
import { LawsReporter } from './reporter-laws.ts';
import { TallyReporter } from './reporter-tally.ts';
import { WaitingReporter } from './reporter-waiting.ts';
import { WarmWorker } from './warm-worker.ts';
import { WatchLoop } from './watch-loop.ts';

/** The workbook's folder. */
const root = path.resolve(import.meta.dirname, '../..');

/** The projects named on the command line; by default the learner's own code. */
const selected = process.argv.flatMap((word, index, words) => {
  const [, inline] = /^--project=(.*)$/.exec(word) ?? [];
  if (inline !== undefined) return [inline];
  return words[index - 1] === '--project' ? [word] : [];
});
const projects = selected.length > 0 ? selected : ['katas'];
const forLearners = projects.every((name) => name === 'katas' || name === 'solutions');
/** Fixtures are workbooks without a harness. They use this configuration. */
const isWorkbook = realpathOf(path.join(process.cwd(), 'harness')) === path.join(root, 'harness');
/**
 * A learner runs one kata again and again, and waits for it. So the harness is loaded as one bundle, and the modules
 * that Vite has transformed are cached on disk, by content.
 */
const quick = projects.every((name) => name === 'katas') && isWorkbook;
/** The mistake or the variant that replaces a reference. */
const impostors = { mistake: process.env.KATA_MISTAKE, variant: process.env.KATA_VARIANT };
if (!projects.includes('solutions') && (impostors.mistake ?? impostors.variant) !== undefined) {
  throw new Error(
    'Failed to use KATA_MISTAKE or KATA_VARIANT: it takes the place of a reference, and no reference is tested. Add --project solutions.',
  );
}

// Vitest accepts `project` in a configuration file, but its types do not: a spread avoids the check.
const defaultProject = { project: ['katas'] };

// Vite ignores `resolve.conditions` for code that runs in Node: it must be `ssr.resolve.conditions`.
const solution = { ssr: { resolve: { conditions: ['solution'] } } };

const base = {
  setupFiles: [path.join(import.meta.dirname, 'setup.ts')],
  // The watchdog interrupts its own process, so each test needs its own process.
  pool: 'forks' as const,
  // The watchdog terminates code in the middle of asynchronous hooks, which Node would report as corruption.
  execArgv: ['--no-force-async-hooks-checks', '--max-semi-space-size=64', '--single-threaded-gc'],
  // A test that never ends keeps its slot: leave enough slots for the others.
  maxConcurrency: 1_000,
  // Vitest's timeouts count wall-clock time, and would fail correct code on a busy machine. `setup.ts` sets other limits.
  testTimeout: 0,
  hookTimeout: 0,
};

const ownFiles = process.env[OWN_FILES];
const chosen = ownFiles ? JSON.parse(ownFiles) : undefined;
const own = [...(chosen ? [ownComponents(root, chosen)] : []), ownComponentsByKata(root, chosen)];

/**
 * The limit of CPU time for a test, in ms. The first law of a kata runs the scenarios of all its laws. The watchdog
 * notices code that hangs or spins long before. With more runs than usual, the limit grows.
 */
const cpuMs =
  Number(process.env.KATA_CPU_MS ?? 180_000) * Math.max(1, Number(process.env.KATA_RUNS ?? 100) / 100);
/**
 * The runs of each property. In `npm test`, the references get a quarter of a learner's runs, because they pass all
 * of them: `npm run judge` and `npm run soak` check them with as many runs and more.
 */
const isWhole = projects.includes('mistakes') && projects.includes('solutions');
const runs = process.env.KATA_RUNS ?? (isWhole ? '25' : undefined);
const gate = new Gate();
const kata = {
  ...base,
  pool: kataPool(gate),
  env: {
    // Only this workbook's own pool reads them.
    ...(!isWhole && { [LAST_WORDS]: '1' }),
    KATA_CPU_MS: String(cpuMs),
    ...(runs !== undefined && { KATA_RUNS: runs }),
  },
  // The one example file of a kata imports the levels, so they do not run by themselves.
  include: ['katas/*/*.test.ts'],
};

/** Tests of the harness that take too long for every run. `npm run nightly` runs them. */
const NIGHTLY = 'harness/**/*.nightly.test.ts';

/** The harness's own tests. A cluster in them runs the reference components. */
const harness = {
  ...base,
  // A worker loads the harness once, not once per file. That saves a third of the run. No test leaves anything
  // behind.
  isolate: false,
  // Caches transformed modules on disk, by content. This saves 6 s of CPU, from the second run on.
  experimental: { fsModuleCache: isWorkbook },
  // A tenth of the CPU time goes to many small collections on several threads, which this avoids.
  execArgv: [...base.execArgv, '--max-semi-space-size=64', '--single-threaded-gc'],
  include: ['harness/**/*.test.ts'],
  exclude: ['harness/vitest/fixtures/**'],
  env: {
    // Real input and output may block for a while.
    KATA_STALL_MS: '20000',
    // A quarter of the usual runs of each property. `npm run nightly` runs all of them, on fresh seeds.
    KATA_RUNS: process.env.KATA_RUNS ?? '25',
  },
};

/**
 * Returns the configuration of Vitest, with a project for each of these: the learner's katas, the solutions, the
 * mistakes, the harness (also its nightly tests), and its benchmarks.
 */
export function configure(bundle: Bundle): ViteUserConfig {
  const warmWorker = quick ? new WarmWorker(bundle) : undefined;
  warmWorker?.begin();
  const loop = forLearners ? new WatchLoop() : undefined;
  return {
    test: {
      ...defaultProject,
      experimental: { fsModuleCache: quick },
      // Vitest reserves a core for itself, which is one too many on a machine with two.
      maxWorkers: '100%',
      sequence: { sequencer: kataSequencer(gate) },
      ...(loop && { watchTriggerPatterns: loop.triggers }),
      reporters: reporters([...(loop ? [loop] : []), ...(warmWorker ? [warmWorker] : [])]),
      projects: [
        {
          plugins: [realTimeImports(), tellCatches(), ...own, bundled(bundle)],
          test: {
            ...kata,
            pool: kataPool(gate, warmWorker),
            setupFiles: [bundle.setup],
            name: 'katas',
          },
        },
        {
          ...solution,
          plugins: [realTimeImports(), tellCatches(), mistaken(impostors), bundled(bundle)],
          test: {
            ...kata,
            setupFiles: [bundle.setup],
            name: 'solutions',
            include: [...kata.include, 'solutions/*/*.test.ts'],
            // When all tests run, levels block nothing. Then one process serves many katas, because starting a
            // process costs a second of CPU time. Vitest's cache does not know the code of an impostor.
            ...(isWhole && {
              pool: 'forks' as const,
              isolate: false,
              experimental: {
                fsModuleCache: impostors.mistake === undefined && impostors.variant === undefined,
              },
            }),
          },
        },
        {
          ...solution,
          plugins: [realTimeImports(), judged(bundle)],
          test: {
            ...base,
            setupFiles: [bundle.setup],
            name: 'mistakes',
            // A replay is short, and leaves little behind: one process loads the harness for many katas.
            isolate: process.env.KATA_JUDGE !== undefined,
            include: ['solutions/*/mistakes.ts'],
            // The watchdog kills a mistake that spins, so each such mistake costs this much time. A shorter limit would be wrong: a process
            // that has judged for half an hour blocks for seconds while it collects garbage.
            // Shrinking is off, because nobody reads the smallest failing input of a mistake.
            // Each test of a kata has its own limit of CPU time. A test of the judge runs many of them.
            env: {
              KATA_STALL_MS: process.env.KATA_STALL_MS ?? '20000',
              KATA_SHRINK_MS: '0',
              KATA_CPU_MS: '7200000',
            },
          },
        },
        {
          ...solution,
          test: { ...harness, name: 'harness', exclude: [...harness.exclude, NIGHTLY] },
        },
        {
          ...solution,
          test: { ...harness, name: 'nightly', include: [NIGHTLY] },
        },
        {
          ...solution,
          test: { name: 'bench', include: [], benchmark: { include: ['harness/**/*.bench.ts'] } },
        },
      ],
    },
  };
}

function reporters(helpers: readonly Reporter[]): Reporter[] | ['default', ...Reporter[]] {
  const guard = new EndGuard();
  if (process.env.KATA_JUDGE === 'laws') return [new LawsReporter(), guard];
  if (forLearners) return [new KataReporter(gate), guard, ...helpers];
  return ['default', new TallyReporter(), new WaitingReporter(), guard];
}

/** Undefined if the file does not exist. */
function realpathOf(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}
