import { keyOf } from '../../../api/objects.ts';
import { documentsOf } from '../../../cli/manifest-documents.ts';
import type { Patch } from '../../../contracts/client.ts';
import type { Command } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { SELECTING, selectAll } from '../targets.ts';
import { report, WRITING, writeOptions } from './report.ts';

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/patch/patch.go PatchOptions.RunPatch */
export const patch: Command = {
  name: 'patch',
  usage: `(TYPE NAME | TYPE/NAME) -p '{"spec":…}' [--type=merge]`,
  summary: 'Changes fields of an object',
  reads: false,
  flags: {
    ...SELECTING,
    ...WRITING,
    patch: { short: 'p', type: 'text', help: 'the patch, as JSON or YAML' },
    type: { type: 'text', help: 'strategic, merge or json (strategic)' },
  },
  run: async (call) => {
    const text = call.flags.text('patch');
    if (text === undefined)
      throw new KubectlError('must specify --patch or --patch-file containing the contents of the patch');
    const type = call.flags.text('type') ?? 'strategic';
    if (type !== 'strategic' && type !== 'merge' && type !== 'json') {
      throw new KubectlError(`--type must be one of [json merge strategic], not "${type}"`);
    }
    const body = documentsOf(text, 'the patch')[0]?.value;
    for (const { resource, object } of await selectAll(call)) {
      const sent: Patch = type === 'json' ? { type, body: body as readonly unknown[] } : { type, body };
      const stored = await call.client.patch(resource, keyOf(object), sent, writeOptions(call, 'patch'));
      const isSame = stored.metadata.resourceVersion === object.metadata.resourceVersion;
      report(call, resource, stored, isSame ? 'patched (no change)' : 'patched');
    }
  },
};
