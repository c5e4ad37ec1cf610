import { describe, expect, test } from 'vitest';
import * as store from '../../12-store/laws.ts';
import * as access from '../../13-access/laws/index.ts';
import * as informer from '../../21-informer/laws/index.ts';
import * as workqueue from '../../22-workqueue/laws.ts';
import * as replicaSet from '../../23-replicaset/laws/index.ts';
import * as deployment from '../../24-deployment/laws/index.ts';
import * as garbageCollector from '../../25-garbage-collector/laws/index.ts';
import * as daemonSet from '../../26-daemon-set/laws.ts';
import * as statefulSet from '../../27-stateful-set/laws.ts';
import * as disruption from '../../35-disruption/laws.ts';
import * as job from '../../65-job/laws/index.ts';
import * as cronJob from '../../66-cron-job/laws.ts';
import * as ttl from '../../67-ttl-after-finished/laws.ts';
import { katasInCluster } from './index.ts';

/** The exports of each kata's laws. */
const exported: Readonly<Record<string, object>> = {
  '12-store': store,
  '13-access': access,
  '21-informer': informer,
  '22-workqueue': workqueue,
  '23-replicaset': replicaSet,
  '24-deployment': deployment,
  '25-garbage-collector': garbageCollector,
  '26-daemon-set': daemonSet,
  '27-stateful-set': statefulSet,
  '35-disruption': disruption,
  '65-job': job,
  '66-cron-job': cronJob,
  '67-ttl-after-finished': ttl,
};

describe('katasInCluster', () => {
  test.each(Object.keys(exported))('%s adapts each law, or names the reason why it does not', (name) => {
    const kata = katasInCluster.find((each) => each.kata === name);
    const names = [...Object.keys(kata?.laws ?? {}), ...Object.keys(kata?.leftOut ?? {})];
    expect(names.sort()).toEqual(Object.keys(exported[name] ?? {}).sort());
  });
});
