import type { KubeObject } from '../api/objects.ts';
import { StatusError } from '../api/status.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { BrokenApply, runApply } from '../cluster/run-apply.ts';
import type { Applied as AppliedObject } from '../contracts/apply/index.ts';
import type { ApiRequest } from '../contracts/request.ts';
import { RequestClient, sendTo } from '../contracts/request-client.ts';
import { mappingsOf } from '../given/11-apply/discovery.ts';
import type { TraceEntry } from '../sim/index.ts';
import { Failure } from './failure.ts';
import type { ManifestObject } from './manifest.ts';

/** The result of applying one object. */
export interface Applied {
  readonly outcome: AppliedObject['outcome'];
  /** The body of the create request: the manifest's object with kubectl's annotation. */
  readonly sent: object;
  /** The object as the server stores it now. */
  readonly stored: KubeObject;
}

/** Why an object was not applied. */
export interface Refused {
  /** The error, without the words around it. */
  readonly message: string;
  /** The server's error; absent if the object was not sent. */
  readonly error?: StatusError;
}

/** The outcome for one object, and the last of kubectl's requests for it. */
type Applying = { readonly of: ManifestObject; readonly entry: TraceEntry | undefined } & (
  | { readonly result: Applied }
  | { readonly refused: Refused }
);

/**
 * Applies the objects of a manifest one after another with the apply of a cluster, as the user `kubectl`. An error does
 * not stop the others.
 *
 * @param source the manifest's name in messages
 * @throws Failure when a learner's apply breaks its contract
 */
export async function applyManifest(
  cluster: Cluster,
  manifest: readonly ManifestObject[],
  source: string,
): Promise<readonly Applying[]> {
  const send = sendTo(cluster.connect('kubectl'));
  let sent: ApiRequest[] = [];
  const client = new RequestClient((request) => {
    sent.push(request);
    return send(request);
  });
  const context = { client, clock: cluster.clock, mappingOf: mappingsOf() };
  const options = { namespace: { name: 'default', required: false } };
  const all: Applying[] = [];
  for (const of of manifest) {
    sent = [];
    const documents = [{ source, value: of.object }];
    const running = runApply(cluster.component('apply'), context, documents, options);
    const { applied, errors } = await cluster.settle(
      running.catch((error: unknown) => {
        if (!(error instanceof BrokenApply)) throw error;
        throw new Failure(`apply ${source}`, error.message, 'Run npx vitest katas/11-apply.');
      }),
    );
    const entry =
      sent.length === 0 ? undefined : cluster.trace.entries.findLast(({ actor }) => actor === 'kubectl');
    const [result, error] = [applied[0], errors[0]];
    if (result) {
      const created = sent.findLast((request) => request.verb === 'create');
      const body = created?.verb === 'create' ? created.object : of.object;
      all.push({ of, entry, result: { outcome: result.outcome, sent: body, stored: result.object } });
    }
    if (error) {
      const { message, cause } = error;
      const refused = cause instanceof StatusError ? { message: cause.message, error: cause } : { message };
      all.push({ of, entry, refused });
    }
  }
  return all;
}
