import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { realClock } from '../../mount/real-clock.ts';
import { kubeconfig } from '../../serving/kubeconfig.ts';
import { serveCluster } from '../../serving/serve-cluster.ts';
import { shell } from '../kubectl.ts';
import type { Course, StepRecord } from './course.ts';
import { Recorder } from './recorder.ts';
import { type ApplyRow, type Flags, isApply } from './row.ts';
import { carryOut, createServer, isEstablished } from './server.ts';

const POLL_MS = 20;

/** Returns the words of flags on the command line. */
export function wordsOf(flags: Flags = {}): readonly string[] {
  const { namespace, force, timeoutMs, dryRun, serverSide, forceConflicts, prune } = flags;
  const selector = Object.entries(prune?.selector ?? {}).map(([key, value]) => `${key}=${value}`);
  return [
    ...(namespace === undefined ? [] : ['-n', namespace]),
    ...(force ? ['--force'] : []),
    ...(timeoutMs === undefined ? [] : [`--timeout=${timeoutMs / 1_000}s`]),
    ...(dryRun === undefined ? [] : [`--dry-run=${dryRun}`]),
    ...(serverSide ? ['--server-side'] : []),
    ...(forceConflicts ? ['--force-conflicts'] : []),
    ...(prune ? ['--prune', '-l', selector.join(',')] : []),
  ];
}

/** Runs the steps of a row with a real kubectl, in a new cluster in real time. */
export async function courseOfKubectl({ needs, steps }: ApplyRow): Promise<Course> {
  const cluster = await createServer(realClock.now());
  const recorder = new Recorder();
  const serving = await serveCluster(cluster, { around: (handler) => recorder.around(handler) });
  const home = await mkdtemp(path.join(tmpdir(), 'kubectl-apply-'));
  try {
    const config = path.join(home, 'config');
    await writeFile(config, kubeconfig({ server: serving.url, user: { token: 'unused' } }));
    const run = async (manifest: string, flags?: Flags): Promise<StepRecord> => {
      await writeFile(path.join(home, 'manifest.yaml'), manifest);
      const command = ['kubectl', 'apply', '-f', 'manifest.yaml', ...wordsOf(flags)].join(' ');
      const env = { GOGC: 'off', HOME: home, KUBECONFIG: config };
      const output = await shell(command, { cwd: home, env });
      while (!(await isEstablished(cluster))) await realClock.sleep(POLL_MS);
      return { requests: recorder.take(), ...output };
    };
    if (needs !== undefined) await run(needs);
    const course: StepRecord[] = [];
    for (const step of steps) {
      if (isApply(step)) course.push(await run(step.manifest, step.flags));
      else await carryOut(cluster, step);
    }
    return course;
  } finally {
    await serving[Symbol.asyncDispose]();
    await cluster[Symbol.asyncDispose]();
    await rm(home, { recursive: true });
  }
}
