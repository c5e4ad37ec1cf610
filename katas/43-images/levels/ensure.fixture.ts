import {
  type DockerConfigEntry,
  type Puller,
  PullLimiter,
  type PullRecords,
  trusting,
} from '#given/43-images';
import type { ImageRequest } from '#harness';
import { Simulation } from '#harness/testing';
import { ImageEnsurer, PullBackOff } from '#kata/43-images/images';
import { eventsInto, type fakeImages, sandboxConfig } from './images.fixture.ts';

type RequestParts = Partial<Omit<ImageRequest, 'container'>> & {
  readonly image?: string;
  readonly policy?: string;
  readonly uid?: string;
  /** The name of the container. */
  readonly name?: string;
};

/** An ensurer with a runtime without a registry, and a record of its events. */
export function ensurerOver(
  images: ReturnType<typeof fakeImages>,
  parts: {
    readonly sim?: Simulation;
    readonly puller?: Puller;
    readonly records?: Partial<PullRecords>;
    readonly node?: readonly DockerConfigEntry[];
    readonly qps?: number;
  } = {},
) {
  const { sim = new Simulation(), node = [], qps = 0 } = parts;
  const told: string[] = [];
  const ensurer = new ImageEnsurer({
    clock: sim.clock,
    recorder: eventsInto(told),
    images,
    node,
    backOff: new PullBackOff(sim.clock),
    puller: parts.puller ?? { run: (work) => work() },
    limiter: new PullLimiter({ clock: sim.clock, qps, burst: 1 }),
    records: { ...trusting, ...parts.records },
  });
  const ensure = (request: RequestParts = {}): Promise<string> =>
    sim.settle(ensurer.ensureImageExists(requestFor(request)));
  return { sim, told, ensure };
}

export function requestFor(parts: RequestParts): ImageRequest {
  const { image = 'web:1', policy, uid = 'u1', name = 'main', ...rest } = parts;
  return {
    pod: { metadata: { namespace: 'default', name: 'web', uid } } as ImageRequest['pod'],
    container: { name, image, ...(policy !== undefined && { imagePullPolicy: policy }) },
    reference: { kind: 'Pod', name: 'web', fieldPath: `spec.containers{${name}}` },
    sandboxConfig,
    pullSecrets: [],
    ...rest,
  };
}
