import type * as core from '#api/core/v1';
import type { Job, New, Pod } from '../../api/objects.ts';
import { newControllerRef } from '../controller-ref.ts';
import { COMPLETION_INDEX, TRACKING_FINALIZER } from './facts.ts';

const INDEX_VARIABLE = 'JOB_COMPLETION_INDEX';

/** The maximum length of a `generateName`, to which the server adds five characters. */
const PREFIX_LENGTH_MAX = 58;

/**
 * Returns a new pod of a Job, with the tracking finalizer. The pod of an index has the index in a label, an annotation,
 * its hostname, its name and an environment variable of each container.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/job_controller.go Controller.manageJob;
 * pkg/controller/job/indexed_job_utils.go addCompletionIndexEnvVariables, podGenerateNameWithIndex
 *
 * @param index of the pod; `undefined` unless the Job is Indexed
 * @param extra further annotations
 */
export function newJobPod(job: Job, index?: number, extra: Readonly<Record<string, string>> = {}): New<Pod> {
  const { namespace, name } = job.metadata;
  const { metadata: template = {}, spec } = job.spec.template;
  const { labels = {}, annotations = {}, finalizers = [] } = template;
  const marks: Record<string, string> = index === undefined ? {} : { [COMPLETION_INDEX]: String(index) };
  return {
    metadata: {
      ...(namespace === undefined ? {} : { namespace }),
      generateName: index === undefined ? `${name}-` : prefixOf(name, index),
      labels: { ...labels, ...marks },
      annotations: { ...annotations, ...marks, ...extra },
      finalizers: [...finalizers.filter((each) => each !== TRACKING_FINALIZER), TRACKING_FINALIZER],
      ownerReferences: [newControllerRef(job, 'Job')],
    },
    spec: (index === undefined ? spec : withIndex(spec as Pod['spec'], `${name}-${index}`)) as Pod['spec'],
  };
}

function prefixOf(name: string, index: number): string {
  const end = `-${index}-`;
  return `${name.slice(0, PREFIX_LENGTH_MAX - end.length)}${end}`;
}

function withIndex(spec: Pod['spec'], hostname: string): Pod['spec'] {
  const { containers, initContainers } = spec;
  return {
    ...spec,
    hostname,
    containers: containers.map(withVariable),
    ...(initContainers && { initContainers: initContainers.map(withVariable) }),
  };
}

function withVariable(container: core.Container): core.Container {
  const { env = [] } = container;
  if (env.some(({ name }) => name === INDEX_VARIABLE)) return container;
  const valueFrom = { fieldRef: { fieldPath: `metadata.labels['${COMPLETION_INDEX}']` } };
  return { ...container, env: [...env, { name: INDEX_VARIABLE, valueFrom }] };
}
