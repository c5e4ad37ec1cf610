import type { Cluster } from '../../cluster/cluster.ts';
import type { Details, Subject } from '../protocol/details.ts';
import type { Moment } from '../protocol/message.ts';
import { ActorNotes } from './actor-notes.ts';
import { apiServerDetailsOf } from './api-server-details.ts';
import { happeningsAround } from './around.ts';
import { ClusterViews } from './cluster-view.ts';
import { componentDetailsOf } from './component-details.ts';
import { ComponentViews } from './component-views.ts';
import { JournalIndex } from './journal-index.ts';
import { messageDetailsOf } from './message-details.ts';
import { Messages } from './messages.ts';
import { Moments } from './moments.ts';
import { nodeDetailsOf } from './node-details.ts';
import { objectDetailsOf } from './object-details.ts';
import type { ClusterObserver, ObserverOptions } from './observer.ts';
import { Places } from './places.ts';
import { requestDetailsOf } from './request-details.ts';

/** Starts to observe a cluster. Dispose of the observer before another run begins. */
export function observeCluster(cluster: Cluster, options: ObserverOptions = {}): ClusterObserver {
  const { zeroMs = cluster.sim.elapsedMs } = options;
  const { ownerOf = () => 'reference', describe = async () => undefined, requests } = options;
  const index = new JournalIndex(cluster);
  const places = new Places(cluster, index);
  const messages = new Messages({ cluster, index, places, requests, zeroMs });
  const components = new ComponentViews(cluster, { index, zeroMs, ownerOf });
  const all = {
    cluster,
    index,
    places,
    messages,
    components,
    zeroMs,
    describe,
    requests,
    notes: new ActorNotes(cluster.trace),
  };
  const views = new ClusterViews(all);
  const moments = new Moments(cluster, zeroMs);
  let unsent: readonly Moment[] = [];

  /** Reads the new writes. Every answer depends on them. */
  const catchUp = (): void => {
    unsent = [...unsent, ...moments.take(index.advance())];
  };
  const detailsOf = (subject: Subject): Details | undefined | Promise<Details | undefined> => {
    switch (subject.kind) {
      case 'object':
        return objectDetailsOf({ ...subject, resource: index.fullName(subject.resource) }, all);
      case 'component':
        return componentDetailsOf(subject.name, all);
      case 'node':
        return nodeDetailsOf(subject.name, {
          cluster,
          zeroMs,
          node: views.now().nodes.find(({ name }) => name === subject.name),
        });
      case 'message':
        return messageDetailsOf(subject.id, all);
      case 'request': {
        const request = requests?.get(subject.number);
        return request && requestDetailsOf(request, { zeroMs });
      }
      case 'apiserver':
        return apiServerDetailsOf(subject.index, all);
      case 'host':
        return undefined;
    }
  };
  return {
    view() {
      catchUp();
      return views.now();
    },
    newMessages() {
      catchUp();
      return messages.take();
    },
    newMoments() {
      catchUp();
      const news = unsent;
      unsent = [];
      return news;
    },
    messageOf: (packet) => messages.ofPacket(packet),
    async inspect(subject) {
      catchUp();
      return detailsOf(subject);
    },
    around(atMs) {
      catchUp();
      return happeningsAround(atMs, all);
    },
    [Symbol.dispose]: () => messages[Symbol.dispose](),
  };
}
