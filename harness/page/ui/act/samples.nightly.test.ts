import { describe, expect, test } from 'vitest';
import type { Deployment, Job, Pod } from '../../../api/objects.ts';
import { jobs } from '../../../api/plain-resources.ts';
import { isReady } from '../../../api/predicates.ts';
import { deployments, pods } from '../../../api/resource.ts';
import type { Components } from '../../../contracts/component.ts';
import { onlyReference } from '../../run/parts.ts';
import { Run } from '../../run/run.ts';
import { samples } from './samples.ts';

const { components } = (await import('#components')) as { readonly components: Components };

describe('The samples', () => {
  test('show in one cluster what they promise', async () => {
    await using run = await Run.begin({ seed: 1, nodes: 2 }, onlyReference(components));
    const { storage } = run.cluster;
    const podsOf = (prefix: string): readonly Pod[] =>
      (storage.list(pods) as Pod[]).filter(({ metadata }) => metadata.name.startsWith(prefix));
    const act = async (line: string, manifest: string): Promise<void> => {
      await run.act({ do: 'kubectl', line, manifest });
      await run.advance(run.nowMs + 10_000);
    };
    for (const { file, text } of samples.filter((one) => one.file !== 'waits.yaml')) {
      await act('apply -f -', text);
      expect(
        run.output.filter(({ isError }) => isError),
        file,
      ).toEqual([]);
    }
    await run.advance(45_000);

    // web.yaml and probes.yaml
    expect(podsOf('web').map(isReady)).toEqual([true, true, true]);
    expect(podsOf('shop').map(isReady)).toEqual([true, true]);
    await run.act({ do: 'request', from: 'laptop', url: 'http://node-1:30080' });
    // crashes.yaml
    const [crashing] = podsOf('crashes');
    expect(crashing?.status?.containerStatuses?.[0]?.restartCount).toBeGreaterThan(1);
    // unfit.yaml
    const reasonOf = (name: string) => podsOf(name)[0]?.status?.conditions?.[0]?.message;
    expect(reasonOf('too-large')).toContain('Insufficient cpu');
    expect(reasonOf('picky')).toContain("didn't match Pod's node affinity/selector");
    await act('label node node-2 disk=ssd', '');
    expect(podsOf('picky').map(isReady)).toEqual([true]);
    expect(run.output.map(({ text }) => text).join('')).toContain('HTTP 200');
    // db.yaml
    expect(podsOf('db').map(({ metadata }) => metadata.name)).toEqual(['db-0', 'db-1']);
    expect(podsOf('db').map(isReady)).toEqual([true, true]);
    // jobs.yaml
    await run.advance(run.nowMs + 60_000);
    const ends = (storage.list(jobs) as Job[]).map(({ metadata, status }) => [
      metadata.name,
      status.conditions?.filter(({ status }) => status === 'True').map(({ type }) => type),
    ]);
    expect(Object.fromEntries(ends)).toEqual({
      six: ['SuccessCriteriaMet', 'Complete'],
      fails: ['FailureTarget', 'Failed'],
    });

    // waits.yaml
    await act('apply -f -', samples.find(({ file }) => file === 'waits.yaml')?.text ?? '');
    await run.advance(run.nowMs + 60_000);
    const web = (storage.list(deployments) as Deployment[]).find(({ metadata }) => metadata.name === 'web');
    expect(web?.status?.availableReplicas).toBe(3);
    expect(web?.status?.conditions?.find(({ type }) => type === 'Progressing')).toMatchObject({
      status: 'False',
      reason: 'ProgressDeadlineExceeded',
    });
  });
});
