import { describe, expect, test } from 'vitest';
import type { Job } from '../../api/objects.ts';
import { newJobPod } from './new-job-pod.ts';

const INDEX = 'batch.kubernetes.io/job-completion-index';

const jobOf = (name = 'pi', env: object[] = []): Job =>
  ({
    metadata: { name, namespace: 'default', uid: 'u-1' },
    spec: {
      template: {
        metadata: { labels: { app: 'pi' }, annotations: { note: 'hello' }, finalizers: ['example.com/keep'] },
        spec: {
          containers: [{ name: 'main', env }],
          initContainers: [{ name: 'init' }],
          restartPolicy: 'Never',
        },
      },
    },
  }) as unknown as Job;

const variable = {
  name: 'JOB_COMPLETION_INDEX',
  valueFrom: { fieldRef: { fieldPath: `metadata.labels['${INDEX}']` } },
};

describe('A new pod of a Job', () => {
  test('has the parts of the template, the finalizer and the controller', () => {
    const { metadata, spec } = newJobPod(jobOf());
    expect(metadata).toEqual({
      namespace: 'default',
      generateName: 'pi-',
      labels: { app: 'pi' },
      annotations: { note: 'hello' },
      finalizers: ['example.com/keep', 'batch.kubernetes.io/job-tracking'],
      ownerReferences: [
        {
          apiVersion: 'batch/v1',
          kind: 'Job',
          name: 'pi',
          uid: 'u-1',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    });
    expect(spec).toEqual(jobOf().spec.template.spec);
  });

  test('shows its index in five places', () => {
    const { metadata, spec } = newJobPod(jobOf(), 3, { extra: 'yes' });
    expect(metadata.generateName).toBe('pi-3-');
    expect(metadata.labels).toEqual({ app: 'pi', [INDEX]: '3' });
    expect(metadata.annotations).toEqual({ note: 'hello', [INDEX]: '3', extra: 'yes' });
    expect(spec?.hostname).toBe('pi-3');
    expect(spec?.containers[0]?.env).toEqual([variable]);
    expect(spec?.initContainers?.[0]?.env).toEqual([variable]);
  });

  test('keeps the variable of a container that has one', () => {
    const own = { name: 'JOB_COMPLETION_INDEX', value: '7' };
    expect(newJobPod(jobOf('pi', [own]), 3).spec?.containers[0]?.env).toEqual([own]);
  });

  test('cuts a long name, so that the index stays', () => {
    const { generateName = '' } = newJobPod(jobOf('x'.repeat(60)), 12).metadata;
    expect(generateName).toHaveLength(58);
    expect(generateName.endsWith('x-12-')).toBe(true);
  });
});
