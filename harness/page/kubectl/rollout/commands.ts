import { type Deployment, keyOf } from '../../../api/objects.ts';
import { deployments, type Resource } from '../../../api/resource.ts';
import { LAST_APPLIED } from '../../../given/11-apply/words.ts';
import { formatTime } from '../../../sim/index.ts';
import type { Call, Command } from '../command.ts';
import { podTemplateLines } from '../describe/pod-template.ts';
import { KubectlError } from '../kubectl-error.ts';
import { tabbed } from '../tab-writer.ts';
import { SELECTING, selectAll } from '../targets.ts';
import { templateOf } from '../write/pod-templates.ts';
import { report, WRITING, writeOptions } from '../write/report.ts';
import {
  changeCauseOf,
  isSameTemplate,
  REVISION,
  replicaSetsOf,
  revisionOf,
  withoutHash,
} from './history.ts';

const ON = '(TYPE NAME | TYPE/NAME)';

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/polymorphichelpers/history.go DeploymentHistoryViewer.ViewHistory */
export const rolloutHistory: Command = {
  name: 'rollout history',
  usage: `${ON} [--revision=N]`,
  summary: 'Lists the revisions of a Deployment',
  reads: true,
  flags: { ...SELECTING, revision: { type: 'number', help: 'print the template of this revision' } },
  run: async (call) => {
    for (const deployment of await deploymentsOf(call)) {
      const all = [...(await replicaSetsOf(call.client, deployment))].sort(
        (a, b) => revisionOf(a) - revisionOf(b),
      );
      const revision = call.flags.number('revision');
      const { name } = deployment.metadata;
      if (revision === undefined || revision === 0) {
        const rows = all.map((each) => `${revisionOf(each)}\t${changeCauseOf(each)}\n`);
        const table =
          all.length === 0 ? 'No rollout history found.' : tabbed(`REVISION\tCHANGE-CAUSE\n${rows.join('')}`);
        call.io.out(`deployment.apps/${name} \n${table}\n`);
        continue;
      }
      const found = all.find((each) => revisionOf(each) === revision);
      if (!found) throw new KubectlError('unable to find the specified revision');
      const lines = podTemplateLines(found.spec.template);
      call.io.out(`deployment.apps/${name} with revision #${revision}\n${lines.join('\n')}\n\n`);
    }
  },
};

/** The annotations of a Deployment that an undo keeps. */
const KEPT: readonly string[] = [
  LAST_APPLIED,
  REVISION,
  'deployment.kubernetes.io/revision-history',
  'deployment.kubernetes.io/desired-replicas',
  'deployment.kubernetes.io/max-replicas',
  'deprecated.deployment.rollback.to',
];

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/polymorphichelpers/rollback.go DeploymentRollbacker.Rollback */
export const rolloutUndo: Command = {
  name: 'rollout undo',
  usage: `${ON} [--to-revision=N]`,
  summary: 'Rolls a Deployment back to an earlier revision',
  reads: false,
  flags: {
    ...SELECTING,
    ...WRITING,
    'to-revision': { type: 'number', help: 'the revision (the one before)' },
  },
  run: async (call) => {
    for (const deployment of await deploymentsOf(call)) {
      const revision = call.flags.number('to-revision') ?? 0;
      const { name, annotations = {} } = deployment.metadata;
      const all = await replicaSetsOf(call.client, deployment);
      const [, before] = [...all].sort((a, b) => revisionOf(b) - revisionOf(a));
      const found = revision === 0 ? before : all.find((each) => revisionOf(each) === revision);
      if (!found) {
        throw new KubectlError(
          revision === 0
            ? `no rollout history found for deployment "${name}"`
            : `unable to find specified revision ${revision} in history`,
        );
      }
      if (deployment.spec.paused) {
        throw new KubectlError(
          "you cannot rollback a paused deployment; resume it first with 'kubectl rollout resume' and try again",
        );
      }
      if (isSameTemplate(found.spec.template, deployment.spec.template)) {
        report(
          call,
          deployments,
          deployment,
          `skipped rollback (current template already matches revision ${revision})`,
        );
        continue;
      }
      const kept = Object.entries(annotations).filter(([key]) => KEPT.includes(key));
      const taken = Object.entries(found.metadata.annotations ?? {}).filter(([key]) => !KEPT.includes(key));
      const stored = await call.client.patch(
        deployments,
        keyOf(deployment),
        {
          type: 'json',
          body: [
            { op: 'replace', path: '/spec/template', value: withoutHash(found.spec.template) },
            { op: 'replace', path: '/metadata/annotations', value: Object.fromEntries([...taken, ...kept]) },
          ],
        },
        writeOptions(call, 'rollout'),
      );
      report(call, deployments, stored, 'rolled back');
    }
  },
};

async function deploymentsOf(call: Call): Promise<readonly Deployment[]> {
  const targets = await selectAll(call, { wholeKinds: true });
  return targets.map(({ resource, object }) => {
    if (resource === deployments) return object as Deployment;
    throw new KubectlError(
      `the prompt takes Deployments here; ${resource.plural} have no history in this cluster`,
    );
  });
}

/** Returns a command that patches the spec of workloads. */
function patching({
  name,
  summary,
  verb,
  patch,
}: Pick<Command, 'name' | 'summary'> & {
  readonly verb: string;
  /** Returns the patch, or a text about why it is not needed. */
  readonly patch: (call: Call, deployment: Deployment, resource: Resource) => object | string;
}): Command {
  return {
    name,
    usage: ON,
    summary,
    reads: false,
    flags: { ...SELECTING, ...WRITING },
    run: async (call) => {
      let code = 0;
      for (const { resource, object } of await selectAll(call, { wholeKinds: true })) {
        if (!templateOf(object)) {
          throw new KubectlError(
            `${resource.plural}.${resource.group} "${object.metadata.name}" have no roll-outs`,
          );
        }
        const body = patch(call, object as Deployment, resource);
        if (typeof body === 'string') {
          call.io.err(`error: ${resource.plural}.${resource.group} "${object.metadata.name}" ${body}\n`);
          code = 1;
          continue;
        }
        const sent = { type: 'strategic', body } as const;
        report(
          call,
          resource,
          await call.client.patch(resource, keyOf(object), sent, writeOptions(call, 'rollout')),
          verb,
        );
      }
      return code;
    },
  };
}

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/polymorphichelpers/objectrestarter.go defaultObjectRestarter */
export const rolloutRestart: Command = patching({
  name: 'rollout restart',
  summary: 'Replaces all pods of a workload, with an annotation in its template',
  verb: 'restarted',
  patch: (call, { spec }) => {
    if (spec.paused) return "can't restart paused deployment (run rollout resume first)";
    const annotations = { 'kubectl.kubernetes.io/restartedAt': formatTime(call.cluster.clock.now()) };
    return { spec: { template: { metadata: { annotations } } } };
  },
});

export const rolloutPause: Command = patching({
  name: 'rollout pause',
  summary: 'Pauses the roll-outs of a Deployment',
  verb: 'paused',
  patch: (_, { spec }, resource) => {
    if (resource !== deployments) return 'pausing is not supported';
    return spec.paused ? 'is already paused' : { spec: { paused: true } };
  },
});

export const rolloutResume: Command = patching({
  name: 'rollout resume',
  summary: 'Resumes the roll-outs of a paused Deployment',
  verb: 'resumed',
  patch: (_, { spec }, resource) => {
    if (resource !== deployments) return 'resuming is not supported';
    return spec.paused ? { spec: { paused: null } } : 'is not paused';
  },
});
