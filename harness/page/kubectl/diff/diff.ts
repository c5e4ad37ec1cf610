import type { KubeObject } from '../../../api/objects.ts';
import { isNotFound, StatusError } from '../../../api/status.ts';
import type { Applied } from '../../../contracts/apply/index.ts';
import { LAST_APPLIED } from '../../../given/11-apply/words.ts';
import type { Call, Command } from '../command.ts';
import { message } from '../errors.ts';
import { KubectlError } from '../kubectl-error.ts';
import { yamlOf } from '../print/yaml.ts';
import { SELECTING } from '../targets.ts';
import { applied, chosenDocuments } from '../write/apply.ts';
import { unifiedDiff } from './unified-diff.ts';

/** The exit code for an error: 1 means that there are differences. */
const FAILED = 2;

/**
 * Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/diff/diff.go DiffOptions.Run
 *
 * Differs: the names of the compared files have no folder of a machine, and no time. Upstream's requests carry the version of
 * the live object. Nobody writes during a command that only reads.
 */
export const diff: Command = {
  name: 'diff',
  usage: '-f FILE',
  summary: 'Prints the changes that an apply would make; -f - compares the editor',
  reads: true,
  flags: {
    filename: SELECTING.filename,
    selector: SELECTING.selector,
    'server-side': { type: 'switch', help: 'of a server-side apply' },
    'force-conflicts': { type: 'switch', help: 'with --server-side: take over fields of other managers' },
    'show-managed-fields': { type: 'switch', help: 'with the owner of each field' },
  },
  run: async (call) => {
    if (!call.flags.has('filename')) {
      throw new KubectlError('must specify one of -f and -k: -f - is the editor');
    }
    const documents = chosenDocuments(call);
    if (documents.length === 0) return 0;
    const report = await applied(call, documents, {
      namespace: { name: call.namespace, required: call.flags.has('namespace') },
      dryRun: 'server',
      serverSide: call.flags.isOn('server-side'),
      forceConflicts: call.flags.isOn('force-conflicts'),
    });
    const [error] = report.errors;
    if (error) {
      const { cause } = error;
      call.io.err(`${message(cause instanceof StatusError ? cause : new KubectlError(error.message))}\n`);
      return FAILED;
    }
    const printed: string[] = [];
    for (const each of report.applied.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))) {
      printed.push(...(await compared(call, each)));
    }
    for (const line of printed) call.io.out(`${line}\n`);
    return printed.length > 0 ? 1 : 0;
  },
};

/** The name of the compared files. */
function nameOf({ resource: { group, version, kind }, key: { namespace = '', name } }: Applied): string {
  return `${group === '' ? '' : `${group}.`}${version}.${kind}.${namespace}.${name}`;
}

/** Returns the diff of an object and its version after an apply. */
async function compared({ client, flags }: Call, each: Applied): Promise<readonly string[]> {
  const live = await client.get(each.resource, each.key).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
  // A server-side apply has no annotation from the client.
  const merged = flags.isOn('server-side') ? each.object : withAnnotationOf(each.object, live);
  const shown = flags.isOn('show-managed-fields') ? [live, merged] : [live, merged].map(withoutManagedFields);
  const isSecret = each.resource.kind === 'Secret' && each.resource.group === '';
  // kubectl compares a new Secret with the text `null`, because it masks the absent object, too.
  const absent = isSecret ? 'null\n' : '';
  const [from = '', to = ''] = (isSecret ? masked(shown) : shown).map((one) => (one ? yamlOf(one) : absent));
  const hunks = unifiedDiff(from, to);
  if (hunks.length === 0) return [];
  const [before, after] = [`LIVE/${nameOf(each)}`, `MERGED/${nameOf(each)}`];
  return [`diff -u -N ${before} ${after}`, `--- ${before}`, `+++ ${after}`, ...hunks];
}

/** Returns an applied object with the annotation of the live one: a diff does not change it. */
function withAnnotationOf(object: KubeObject, live: KubeObject | undefined): KubeObject {
  const { [LAST_APPLIED]: _, ...others } = object.metadata.annotations ?? {};
  const former = live?.metadata.annotations?.[LAST_APPLIED];
  const annotations = { ...others, ...(former === undefined ? {} : { [LAST_APPLIED]: former }) };
  const { annotations: __, ...metadata } = object.metadata;
  return {
    ...object,
    metadata: { ...metadata, ...(Object.keys(annotations).length > 0 && { annotations }) },
  };
}

function withoutManagedFields(object: KubeObject | undefined): KubeObject | undefined {
  if (!object) return undefined;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

type WithData = KubeObject & { readonly data?: Readonly<Record<string, string>> };

/** Hides the values of a Secret. Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/diff/diff.go Masker.run */
function masked([live, merged]: readonly (KubeObject | undefined)[]): readonly (KubeObject | undefined)[] {
  const [from, to] = [live, merged].map((one) => (one as WithData | undefined)?.data ?? {}) as [Data, Data];
  const hidden = (object: KubeObject | undefined, own: Data, other: Data, mark: string) =>
    object && {
      ...object,
      ...('data' in object && {
        data: Object.fromEntries(
          Object.entries(own).map(([key, value]) => [
            key,
            key in other && other[key] !== value ? `*** (${mark})` : '***',
          ]),
        ),
      }),
    };
  return [hidden(live, from, to, 'before'), hidden(merged, to, from, 'after')];
}

type Data = Readonly<Record<string, string>>;
