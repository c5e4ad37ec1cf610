import { StatusError } from '../../../api/status.ts';
import { apply as applyOne, LAST_APPLIED } from '../../../cli/apply.ts';
import type { ManifestObject } from '../../../cli/manifest.ts';
import type { Call, Command } from '../command.ts';
import { message, withSource } from '../errors.ts';
import { KubectlError } from '../kubectl-error.ts';
import { manifestOf } from '../manifests.ts';
import { SELECTING } from '../targets.ts';
import { dryRunOf, report, WRITING } from './report.ts';

/**
 * A client-side apply, with the annotation of the last applied configuration and a three-way merge.
 *
 * Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/apply/apply.go ApplyOptions.Run
 */
export const apply: Command = {
  name: 'apply',
  usage: '-f FILE [--server-side]',
  summary: 'Creates the objects of a manifest, or changes them to match it; -f - applies the editor',
  reads: false,
  flags: {
    ...WRITING,
    filename: SELECTING.filename,
    'server-side': { type: 'switch', help: 'let the server merge, and track the owner of each field' },
    'force-conflicts': { type: 'switch', help: 'with --server-side: take over fields of other managers' },
  },
  run: async (call) => {
    const files = call.flags.list('filename');
    if (files.length === 0) throw new KubectlError('must specify one of -f and -k: -f - is the editor');
    if (call.args.length > 0) throw new KubectlError(`Unexpected args: [${call.args.join(' ')}]`);
    const errors: string[] = [];
    for (const file of files) {
      for (const object of manifestOf(call, file)) {
        const isNew = call.observer.now(object.resource, object.key) === undefined;
        try {
          await (call.flags.isOn('server-side') ? onServer : onClient)(call, object);
        } catch (error) {
          errors.push(message(isNew ? withSource(error, 'creating', file) : error));
        }
      }
    }
    for (const error of errors) call.io.err(`${error}\n`);
    return errors.length > 0 ? 1 : 0;
  },
};

async function onClient(call: Call, manifest: ManifestObject): Promise<void> {
  const { resource, key } = manifest;
  const dryRun = dryRunOf(call);
  if (dryRun === 'client') {
    const verb = call.observer.now(resource, key) ? 'configured' : 'created';
    report(call, resource, manifest.object as never, verb);
    return;
  }
  const before = call.observer.now(resource, key);
  if (before && before.metadata.annotations?.[LAST_APPLIED] === undefined) {
    call.io.err(
      `Warning: resource ${resource.plural}/${key.name} is missing the ${LAST_APPLIED} annotation which is required by kubectl apply. kubectl apply should only be used on resources created declaratively by either kubectl create --save-config or kubectl apply. The missing annotation will be patched automatically.\n`,
    );
  }
  const { outcome, stored } = await applyOne(call.client, manifest, { dryRun: dryRun === 'server' });
  report(call, resource, stored, outcome);
}

async function onServer(call: Call, { resource, key, object }: ManifestObject): Promise<void> {
  const sending = call.client.patch(
    resource,
    key,
    { type: 'apply', body: object },
    {
      fieldManager: 'kubectl',
      fieldValidation: 'Strict',
      force: call.flags.isOn('force-conflicts'),
      ...(dryRunOf(call) === 'server' ? { dryRun: true } : {}),
    },
  );
  const stored = await sending.catch((error: unknown) => {
    if (!(error instanceof StatusError) || error.reason !== 'Conflict') throw error;
    throw new KubectlError(`${error.message}\n--force-conflicts takes these fields over`);
  });
  report(call, resource, stored, 'serverside-applied');
}
