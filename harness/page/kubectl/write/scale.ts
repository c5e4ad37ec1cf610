import { type KubeObject, keyOf } from '../../../api/objects.ts';
import { isNotFound } from '../../../api/status.ts';
import type { Command } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { SELECTING, selectAll } from '../targets.ts';
import { report, WRITING, writeOptions } from './report.ts';

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/scale/scale.go ScaleOptions.RunScale */
export const scale: Command = {
  name: 'scale',
  usage: '(TYPE NAME | TYPE/NAME | -f FILE) --replicas=N',
  summary: 'Sets the number of replicas',
  reads: false,
  flags: {
    ...SELECTING,
    ...WRITING,
    replicas: { type: 'number', help: 'the new number' },
    'current-replicas': { type: 'number', help: 'scale only if this is the number now' },
    all: { type: 'switch', help: 'all objects of the kind in the namespace' },
  },
  run: async (call) => {
    const replicas = call.flags.number('replicas');
    if (replicas === undefined) throw new KubectlError('required flag(s) "replicas" not set');
    if (replicas < 0) {
      throw new KubectlError(
        `The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0`,
      );
    }
    const expected = call.flags.number('current-replicas');
    const targets = await selectAll(call).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
      throw new KubectlError(`no objects passed to scale ${error.message}`);
    });
    for (const { resource, object } of targets) {
      if (!resource.subresources.includes('scale')) {
        throw new KubectlError(
          `${resource.plural} cannot be scaled: only deployments, replicasets, statefulsets and replicationcontrollers have a scale`,
        );
      }
      const current =
        (object as KubeObject & { readonly spec?: { readonly replicas?: number } }).spec?.replicas ?? 0;
      if (expected !== undefined && expected !== current) {
        throw new KubectlError(`Expected replicas to be ${expected}, was ${current}`);
      }
      await call.client.patch(
        resource,
        keyOf(object),
        { type: 'merge', body: { spec: { replicas } } },
        { ...writeOptions(call, 'scale'), subresource: 'scale' },
      );
      report(call, resource, object, 'scaled');
    }
    if (targets.length === 0) throw new KubectlError('no objects passed to scale');
  },
};
