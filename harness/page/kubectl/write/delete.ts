import { keyOf, type ObjectKey } from '../../../api/objects.ts';
import type { Resource } from '../../../api/resource.ts';
import { isNotFound } from '../../../api/status.ts';
import { kindName } from '../../../cluster/kubectl-words.ts';
import type { DeleteOptions } from '../../../contracts/client.ts';
import { type Call, type Command, KILLED } from '../command.ts';
import { message } from '../errors.ts';
import { KubectlError } from '../kubectl-error.ts';
import { manifestOf } from '../manifests.ts';
import { references, SELECTING, select } from '../targets.ts';
import { dryRunOf, dryRunSuffix, WRITING } from './report.ts';

const POLICIES = { background: 'Background', orphan: 'Orphan', foreground: 'Foreground' } as const;

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/delete/delete.go DeleteOptions.RunDelete */
export const remove: Command = {
  name: 'delete',
  usage: '(TYPE NAME… | TYPE/NAME… | TYPE -l LABELS | TYPE --all | -f FILE)',
  summary: 'Deletes objects, and waits until they are gone',
  reads: false,
  flags: {
    ...SELECTING,
    'dry-run': WRITING['dry-run'],
    output: WRITING.output,
    all: { type: 'switch', help: 'all objects of the kind in the namespace' },
    'grace-period': { type: 'number', help: 'seconds for a graceful end' },
    force: { type: 'switch', help: 'remove a pod at once, without its kubelet' },
    now: { type: 'switch', help: 'a grace period of one second' },
    wait: { type: 'switch', help: 'wait until the objects are gone (true)' },
    timeout: { type: 'duration', help: 'the longest time to wait' },
    cascade: {
      type: 'text',
      alone: 'background',
      help: 'background, foreground or orphan: what becomes of dependents',
    },
    'ignore-not-found': { type: 'switch', help: 'no error about objects that do not exist' },
  },
  run: async (call) => {
    const options = optionsOf(call);
    const { found, errors } = await findAll(call);
    const ignores = call.flags.isOn('ignore-not-found') || (call.flags.isOn('all') && call.args.length > 0);
    const gone: (() => boolean)[] = [];
    let code = 0;
    const fail = (error: unknown): void => {
      if (ignores && isNotFound(error)) return;
      call.io.err(`${message(error)}\n`);
      code = 1;
    };
    for (const error of errors) fail(error);
    for (const { resource, key } of found) {
      try {
        const uid = call.observer.now(resource, key)?.metadata.uid;
        if (dryRunOf(call) !== 'client') await call.client.delete(resource, key, options);
        call.io.out(`${deleted(call, resource, key, options.gracePeriodSeconds)}\n`);
        gone.push(() => call.observer.now(resource, key)?.metadata.uid !== uid);
      } catch (error) {
        fail(error);
      }
    }
    if (found.length === 0 && code === 0) call.io.out('No resources found\n');
    if (!waits(call) || dryRunOf(call) !== 'none') return code;
    const timeoutMs = call.flags.duration('timeout') || undefined;
    const isGone = await call.observer.until(() => gone.every((is) => is()), call.io.signal, timeoutMs);
    if (call.io.signal.aborted) return KILLED;
    if (!isGone) throw new KubectlError('timed out waiting for the condition');
    return code;
  },
};

function optionsOf(call: Call): DeleteOptions {
  const { flags } = call;
  const cascade = flags.text('cascade') ?? 'background';
  const policy =
    POLICIES[(cascade === 'true' ? 'background' : cascade === 'false' ? 'orphan' : cascade) as 'orphan'];
  if (!policy) {
    throw new KubectlError(
      `invalid cascade value (${cascade}). Must be "background", "foreground", or "orphan"`,
    );
  }
  const period = graceOf(call);
  if (flags.isOn('force')) {
    call.io.err(
      'Warning: Immediate deletion does not wait for confirmation that the running resource has been terminated. The resource may continue to run on the cluster indefinitely.\n',
    );
  }
  return {
    propagationPolicy: policy,
    ...(period === undefined ? {} : { gracePeriodSeconds: period }),
    ...(dryRunOf(call) === 'server' ? { dryRun: true } : {}),
  };
}

/** Only a forced deletion takes no time at all. */
function graceOf({ flags }: Call): number | undefined {
  if (flags.isOn('now')) return 1;
  const period = flags.number('grace-period');
  if (period === undefined || period < 0) return flags.isOn('force') ? 0 : undefined;
  return period === 0 && !flags.isOn('force') ? 1 : period;
}

/** A forced deletion does not wait. */
const waits = (call: Call): boolean =>
  call.flags.isOn('wait', !(call.flags.isOn('force') && graceOf(call) === 0));

function deleted(
  call: Call,
  resource: Resource,
  { namespace, name }: ObjectKey,
  period: number | undefined,
): string {
  if (call.flags.text('output') === 'name') return `${kindName(resource)}/${name}`;
  const verb = period === 0 ? 'force deleted' : 'deleted';
  const place = namespace === undefined ? '' : ` from ${namespace} namespace`;
  return `${kindName(resource)} "${name}" ${verb}${place}${dryRunSuffix(call)}`;
}

interface Found {
  readonly found: readonly { readonly resource: Resource; readonly key: ObjectKey }[];
  readonly errors: readonly unknown[];
}

/** Names are not read before they are deleted; a selection is. */
async function findAll(call: Call): Promise<Found> {
  const files = call.flags.list('filename');
  if (files.length > 0) {
    const found = files
      .flatMap((file) => manifestOf(call, file))
      .map(({ resource, key }) => ({ resource, key }));
    return { found, errors: [] };
  }
  const asked = references(call);
  if ('named' in asked) return { found: asked.named, errors: [] };
  const { targets, errors } = await select(call);
  const found = targets.flatMap(({ resource, objects }) =>
    objects.map((object) => ({ resource, key: keyOf(object) })),
  );
  return { found, errors };
}
