import { parseAllDocuments } from 'yaml';
import { createHandler } from '../../apiserver/handler/handler.ts';
import { HttpClient } from '../../client/http-client.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { appliedLines, errorLines } from '../../cluster/kubectl-words.ts';
import type { Apply, ManifestDocument } from '../../contracts/apply/index.ts';
import { mappingsOf } from '../../given/11-apply/discovery.ts';
import { fetchFrom } from '../../mount/fetch.ts';
import { ADMIN } from '../../serving/cluster-pki.ts';
import type { Course, StepRecord } from './course.ts';
import { Recorder } from './recorder.ts';
import { type ApplyRow, type Flags, isApply } from './row.ts';
import { carryOut, createServer, isEstablished, resourcesOf } from './server.ts';

const SOURCE = 'manifest.yaml';

/** Runs the steps of a row with a component, in a new cluster in virtual time. Its client speaks HTTP. */
export async function courseOfApply(apply: Apply, { needs, steps }: ApplyRow): Promise<Course> {
  await using cluster = await createServer();
  const recorder = new Recorder();
  const handler = createHandler(cluster.replica().server.as(ADMIN.name), { clock: cluster.clock });
  const client = new HttpClient({
    baseUrl: 'http://10.96.0.1',
    fetch: fetchFrom(recorder.around(handler)),
  });
  const run = async (manifest: string, { namespace, ...flags }: Flags = {}): Promise<StepRecord> => {
    const context = { client, clock: cluster.clock, mappingOf: mappingsOf(await resourcesOf(cluster)) };
    const report = await cluster.settle(
      apply(context, read(manifest), {
        ...flags,
        namespace: { name: namespace ?? 'default', required: namespace !== undefined },
      }),
    );
    await cluster.settle(established(cluster));
    const warnings = [...report.warnings, ...recorder.takeWarnings()];
    return {
      requests: recorder.take(),
      out: joined(appliedLines(report, flags.dryRun)),
      err: joined([...warnings.map((warning) => `Warning: ${warning}`), ...errorLines(report)]),
      code: report.errors.length > 0 ? 1 : 0,
    };
  };
  if (needs !== undefined) await run(needs);
  const course: StepRecord[] = [];
  for (const step of steps) {
    if (isApply(step)) course.push(await run(step.manifest, step.flags));
    else await cluster.settle(carryOut(cluster, step));
  }
  return course;
}

async function established(cluster: Cluster): Promise<void> {
  while (!(await isEstablished(cluster))) await cluster.clock.sleep(20);
}

/** Reads the documents up to the first that is not YAML, as kubectl does. */
function read(manifest: string): readonly ManifestDocument[] {
  const documents: ManifestDocument[] = [];
  for (const document of parseAllDocuments(manifest, { version: '1.1', logLevel: 'error' })) {
    const [error] = document.errors;
    const value: unknown = error ? undefined : document.toJS();
    if (error) documents.push({ source: SOURCE, error: `error parsing ${SOURCE}: ${error.code}` });
    else if (value !== null) documents.push({ source: SOURCE, value: JSON.parse(JSON.stringify(value)) });
    if (error) break;
  }
  return documents;
}

const joined = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
