import { describe, expect, test } from 'vitest';
import { components } from '#components';
import { holds, remembering } from '#harness/testing';
import { newImageManager } from '#kata/43-images/images';
import {
  clusterOfImages,
  type ImagesScenario,
  imagesLaws,
  parallelWorkloads,
  runImages,
  tenantWorkloads,
  workloads,
} from '#laws/43-images';

/** All laws check the same runs, and each scenario runs once. The laws need only `newImageManager`. */
const live = remembering((scenario: ImagesScenario) => runImages(newImageManager, scenario));

describe('The laws of pulling', () => {
  test('Follows policy: an image is pulled if the policy requires a pull, and only then', () =>
    holds(imagesLaws.followsPolicy, workloads, live));

  test('Right reason: each refusal has the reason and the message of its cause', () =>
    holds(imagesLaws.rightReason, workloads, live));

  test('Emits events: the events about a container report the outcome of its request', () =>
    holds(imagesLaws.emitsEvents, workloads, live));

  test('Tries each: a pull tries the credentials of the pod, then those of the node, until one succeeds', () =>
    holds(imagesLaws.triesEach, workloads, live));

  test('Backs off: a pod waits twice as long after each failure, and no other pod waits for it', () =>
    holds(imagesLaws.backsOff, workloads, live));

  test('One at a time: two pulls never overlap', () => holds(imagesLaws.oneAtATime, workloads, live));

  test('Independent: a request without a pull never waits for pulls, and a deleted pod never waits', () =>
    holds(imagesLaws.independent, workloads, live));

  test('Never stalls: the next pull starts when the previous one has succeeded, failed or been aborted', () =>
    holds(imagesLaws.neverStalls, workloads, live));

  test('Rate limit: pulls start no faster than registryPullQPS and registryBurst allow', () =>
    holds(imagesLaws.rateLimit, workloads, live));

  test('Quiet: the manager pulls, removes and writes only during a request or a collection', () =>
    holds(imagesLaws.quiet, workloads, live));
});

describe('The laws of garbage collection', () => {
  test('Keeps used images: an image of a container, or a pinned image, is never removed', () =>
    holds(imagesLaws.keepsUsed, workloads, live));

  test('Keeps new images: an image that this kubelet has not known for long enough is never removed', () =>
    holds(imagesLaws.keepsNew, workloads, live));

  test('No excess: images are removed only if the disk is too full, and only as many as necessary', () =>
    holds(imagesLaws.noExcess, workloads, live));

  test('Longest unused first: the image that has been unused for longest is removed first', () =>
    holds(imagesLaws.longestUnusedFirst, workloads, live));

  test('Frees enough: a collection frees enough space, or reports that it could not', () =>
    holds(imagesLaws.freesEnough, workloads, live));
});

describe('★ The laws of tenants (Level 9)', () => {
  test('Verifies: no pod gets a present private image unless it could have pulled it', () =>
    holds(imagesLaws.verifies, tenantWorkloads, live));

  test('Trusts: a present image that a pod may use is not pulled again', () =>
    holds(imagesLaws.trusts, tenantWorkloads, live));
});

describe('★ The laws of parallel pulls (Level 10)', () => {
  test('Within the limit: no more pulls run at once than maxParallelImagePulls', () =>
    holds(imagesLaws.withinLimit, parallelWorkloads, live));

  test('Uses the limit: no pull waits while fewer than maxParallelImagePulls run', () =>
    holds(imagesLaws.usesLimit, parallelWorkloads, live));
});

describe('In a cluster', () => {
  test('End to end: pods get public and private images despite errors and crashes, or show why not', async () => {
    await using cluster = await clusterOfImages(components, newImageManager);
    const process = 'kubelet-node-1';
    cluster.nemesis.schedule([
      { atMs: 0, fault: 'fail-call', process, port: 'cri', verb: 'pullImage', performed: false },
      { atMs: 2_000, fault: 'fail-call', process, port: 'cri', verb: 'imageStatus', performed: false },
      { atMs: 20_000, fault: 'crash', process, skip: 3, performed: true, restartAfterMs: 2_000 },
    ]);
    await cluster.ask('web', 'nginx:1.27');
    await cluster.ask('also', 'docker.io/library/nginx:1.27');
    await cluster.ask('app', 'registry.example.com/team/app:1', 'team');
    await cluster.ask('nowhere', 'nginx:none');
    await cluster.ask('nonsense', 'Nginx');
    await cluster.runFor(120_000);
    expect(
      ['web', 'also', 'app'].map(cluster.sees),
      'the states of web, also and app, whose images can be pulled',
    ).toEqual(['Running', 'Running', 'Running']);
    expect(cluster.sees('nonsense'), 'the state of nonsense, whose image "Nginx" is no valid name').toContain(
      'InvalidImageName: Failed to apply default image tag "Nginx"',
    );
    expect(cluster.sees('nowhere'), 'the state of nowhere, whose image nginx:none does not exist').toMatch(
      /^(ErrImagePull|ImagePullBackOff): .*library\/nginx:none: not found$/,
    );
    const pulled = cluster.machine('node-1')?.history.filter(({ event }) => event === 'image-pulled');
    expect(
      [...new Set(pulled?.map(({ image }) => image))].sort(),
      'images that were pulled, by their full names',
    ).toEqual(['docker.io/library/nginx:1.27', 'registry.example.com/team/app:1']);
  });
});

describe('★ In a cluster', () => {
  test('Private: a pod without the secret does not get a private image that another pod has pulled', async () => {
    await using cluster = await clusterOfImages(components, newImageManager);
    await cluster.ask('app', 'registry.example.com/team/app:1', 'team');
    await cluster.runFor(30_000);
    await cluster.ask('outsider', 'registry.example.com/team/app:1');
    await cluster.ask('colleague', 'registry.example.com/team/app:1', 'team');
    await cluster.runFor(30_000);
    expect(
      [cluster.sees('app'), cluster.sees('colleague')],
      'the states of app and colleague, which have the secret',
    ).toEqual(['Running', 'Running']);
    expect(
      cluster.sees('outsider'),
      'the state of outsider, which has no secret for the private image that is present',
    ).toContain('authorization failed');
  });
});
