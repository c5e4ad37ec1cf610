import { describe, expect, test } from 'vitest';
import * as replicaSet from '../../23-replicaset/laws/index.ts';
import * as deployment from '../../24-deployment/laws/index.ts';
import * as garbageCollector from '../../25-garbage-collector/laws/index.ts';
import * as daemonSet from '../../26-daemon-set/laws.ts';
import * as statefulSet from '../../27-stateful-set/laws.ts';
import * as filter from '../../31-filter/laws/index.ts';
import * as score from '../../32-score/laws/index.ts';
import * as bind from '../../33-bind/laws/index.ts';
import * as disruption from '../../35-disruption/laws.ts';
import * as eviction from '../../41-kubelet/eviction/laws.ts';
import * as kubelet from '../../41-kubelet/laws/index.ts';
import * as node from '../../41-kubelet/node/laws.ts';
import * as probes from '../../42-probes/laws.ts';
import * as images from '../../43-images/laws/index.ts';
import * as nodeVolumes from '../../44-volumes/laws.ts';
import * as volumes from '../../45-persistent-volumes/laws.ts';
import * as job from '../../65-job/laws/index.ts';
import * as cronJob from '../../66-cron-job/laws.ts';
import * as ttl from '../../67-ttl-after-finished/laws.ts';
import { katasInCluster } from './index.ts';

/** Returns the laws of a part of a kata, with the name of the part before each. */
function ofPart(part: string, laws: object): object {
  return Object.fromEntries(Object.entries(laws).map(([name, law]) => [`${part} ${name}`, law]));
}

/** The exports of each kata's laws. */
const exported: Readonly<Record<string, object>> = {
  '23-replicaset': replicaSet,
  '24-deployment': deployment,
  '25-garbage-collector': garbageCollector,
  '26-daemon-set': daemonSet,
  '27-stateful-set': statefulSet,
  '31-filter': { ...filter.coreLaws, ...filter.optionalLaws },
  '32-score': { ...score.coreLaws, ...score.optionalLaws },
  '33-bind': bind,
  '35-disruption': disruption,
  '41-kubelet': { ...kubelet, ...ofPart('node', node), ...ofPart('eviction', eviction) },
  '42-probes': probes,
  '43-images': images,
  '44-volumes': nodeVolumes,
  '45-persistent-volumes': volumes,
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
