import type { DaemonSet, Deployment, KubeObject, StatefulSet } from '../../../api/objects.ts';
import { keyOf } from '../../../api/objects.ts';
import { type Call, type Command, INTERRUPTED } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { SELECTING, selectAll, type Target } from '../targets.ts';
import { revisionOf } from './history.ts';

/** A line about the progress of a roll-out, and whether it is complete. */
interface Progress {
  readonly text: string;
  readonly done: boolean;
}

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/rollout/rollout_status.go RolloutStatusOptions.Run */
export const rolloutStatus: Command = {
  name: 'rollout status',
  usage: '(TYPE NAME | TYPE/NAME) [--watch=false] [--timeout=1m]',
  summary: 'Waits until a roll-out is complete, and reports its progress',
  reads: true,
  flags: {
    ...SELECTING,
    watch: { short: 'w', type: 'switch', help: 'wait for the end (true)' },
    timeout: { type: 'duration', help: 'the longest time to wait' },
    revision: { type: 'number', help: 'fail if another revision is rolled out' },
  },
  run: async (call) => {
    const targets = await selectAll(call, { wholeKinds: true });
    if (targets.length === 0) call.io.err(`No resources found in ${call.namespace} namespace.\n`);
    for (const target of targets) {
      const code = await follow(call, target);
      if (code !== 0) return code;
    }
    return 0;
  },
};

async function follow(call: Call, { resource, object }: Target): Promise<number> {
  const key = keyOf(object);
  const { uid } = object.metadata;
  const waits = call.flags.isOn('watch', true);
  let seen: KubeObject | undefined;
  let failure: KubectlError | undefined;
  const isOver = (): boolean => {
    const current = call.observer.now(resource, key);
    if (current?.metadata.uid !== uid) {
      failure = new KubectlError('object has been deleted');
      return true;
    }
    if (current === seen) return false;
    seen = current;
    try {
      const { text, done } = progressOf(current, call.flags.number('revision'));
      call.io.out(text);
      return done || !waits;
    } catch (error) {
      if (!(error instanceof KubectlError)) throw error;
      failure = error;
      return true;
    }
  };
  const timeoutMs = call.flags.duration('timeout') || undefined;
  const ended = await call.observer.until(isOver, call.io.signal, timeoutMs);
  if (failure) throw failure;
  if (ended) return 0;
  if (call.io.signal.aborted) return INTERRUPTED;
  throw new KubectlError('timed out waiting for the condition');
}

function progressOf(object: KubeObject, revision: number | undefined): Progress {
  switch (object.kind) {
    case 'Deployment':
      return deploymentProgress(object as Deployment, revision);
    case 'DaemonSet':
      return daemonSetProgress(object as DaemonSet);
    case 'StatefulSet':
      return statefulSetProgress(object as StatefulSet);
    default:
      throw new KubectlError(`no status viewer has been implemented for ${object.kind}`);
  }
}

const waiting = (text: string): Progress => ({ text: `${text}\n`, done: false });
const complete = (text: string): Progress => ({ text: `${text}\n`, done: true });

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/polymorphichelpers/rollout_status.go DeploymentStatusViewer.Status */
function deploymentProgress(deployment: Deployment, revision: number | undefined): Progress {
  const { metadata, spec, status } = deployment;
  const { name, generation = 0 } = metadata;
  const current = revisionOf(deployment);
  if (revision && revision !== current) {
    throw new KubectlError(
      `desired revision (${revision}) is different from the running revision (${current})`,
    );
  }
  if (generation > (status.observedGeneration ?? 0)) {
    return waiting('Waiting for deployment spec update to be observed...');
  }
  const progressing = status.conditions?.find(({ type }) => type === 'Progressing');
  if (progressing?.reason === 'ProgressDeadlineExceeded') {
    throw new KubectlError(`deployment "${name}" exceeded its progress deadline`);
  }
  const { replicas = 0, updatedReplicas: updated = 0, availableReplicas: available = 0 } = status;
  const head = `Waiting for deployment "${name}" rollout to finish:`;
  const wanted = spec.replicas ?? 1;
  if (updated < wanted)
    return waiting(`${head} ${updated} out of ${wanted} new replicas have been updated...`);
  if (replicas > updated)
    return waiting(`${head} ${replicas - updated} old replicas are pending termination...`);
  if (available < updated)
    return waiting(`${head} ${available} of ${updated} updated replicas are available...`);
  return complete(`deployment "${name}" successfully rolled out`);
}

function daemonSetProgress({ metadata: { name, generation = 0 }, spec, status }: DaemonSet): Progress {
  if (spec.updateStrategy?.type !== 'RollingUpdate') {
    throw new KubectlError('rollout status is only available for RollingUpdate strategy type');
  }
  if (generation > (status?.observedGeneration ?? 0)) {
    return waiting('Waiting for daemon set spec update to be observed...');
  }
  const {
    updatedNumberScheduled: updated = 0,
    desiredNumberScheduled: wanted = 0,
    numberAvailable = 0,
  } = status ?? {};
  const head = `Waiting for daemon set "${name}" rollout to finish:`;
  if (updated < wanted) return waiting(`${head} ${updated} out of ${wanted} new pods have been updated...`);
  if (numberAvailable < wanted)
    return waiting(`${head} ${numberAvailable} of ${wanted} updated pods are available...`);
  return complete(`daemon set "${name}" successfully rolled out`);
}

function statefulSetProgress({ metadata: { generation = 0 }, spec, status }: StatefulSet): Progress {
  if (spec.updateStrategy?.type !== 'RollingUpdate') {
    throw new KubectlError('rollout status is only available for RollingUpdate strategy type');
  }
  const { observedGeneration = 0, readyReplicas = 0, updatedReplicas = 0 } = status ?? {};
  if (observedGeneration === 0 || generation > observedGeneration) {
    return waiting('Waiting for statefulset spec update to be observed...');
  }
  const wanted = spec.replicas ?? 1;
  if (readyReplicas < wanted) return waiting(`Waiting for ${wanted - readyReplicas} pods to be ready...`);
  return complete(`partitioned roll out complete: ${updatedReplicas} new pods have been updated...`);
}
