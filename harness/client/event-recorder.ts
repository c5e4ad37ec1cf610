import type { KubeObject } from '../api/objects.ts';
import { events } from '../api/resource.ts';
import type { Client } from '../contracts/client.ts';
import type { EventRecorder } from '../contracts/event-recorder.ts';
import { type Clock, formatTime, type Random } from '../sim/index.ts';

export interface EventRecorderOptions {
  readonly client: Pick<Client, 'create'>;
  readonly clock: Clock;
  readonly random: Random;
  /** Who says it: `deployment-controller`. */
  readonly component: string;
  readonly signal: AbortSignal;
}

/** Upstream: kubernetes/client-go@v0.30.0 tools/record/event.go recorderImpl */
export function newEventRecorder(options: EventRecorderOptions): EventRecorder {
  const { client, clock, random, component, signal } = options;
  return {
    event(object, type, reason, message) {
      const { namespace = 'default', name } = object.metadata;
      const now = formatTime(clock.now());
      const event = {
        metadata: { namespace, name: `${name}.${random.int(2 ** 32).toString(16)}` },
        involvedObject: referenceTo(object),
        type,
        reason,
        message,
        source: { component },
        reportingComponent: component,
        firstTimestamp: now,
        lastTimestamp: now,
        count: 1,
      };
      client.create(events, event, { signal }).catch(() => {});
    },
  };
}

function referenceTo({ apiVersion, kind, metadata }: KubeObject) {
  const { namespace, name, uid, resourceVersion } = metadata;
  return { apiVersion, kind, ...(namespace ? { namespace } : {}), name, uid, resourceVersion };
}
