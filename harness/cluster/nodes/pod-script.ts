import type { Pod } from '../../api/objects.ts';
import type { Random } from '../../sim/index.ts';

/**
 * What becomes of a pod on a scripted node: when it is ready, whether it stays so, how it ends. Until a kubelet,
 * probes and images are built, a script has to decide it.
 *
 * One pod's life. All times are virtual ms.
 */
export interface PodScript {
  /**
   * How long after its node has seen it the pod runs and is ready. `never`: its image cannot be pulled, so it stays
   * `Pending`.
   */
  readonly readyAfterMs: number | 'never';
  /**
   * Times at which its readiness probe fails: each so long after the pod was last made ready, for so long.
   *
   * @defaultValue none
   */
  readonly unready?: readonly Bout[];
  /** How long after its node has seen it the pod is evicted, and its phase stays `Failed`. @defaultValue it is not */
  readonly failsAfterMs?: number;
  /**
   * How long its containers take to stop when the pod is deleted; at the end of the grace period they are killed. What
   * does not run stops at once.
   */
  readonly stopsAfterMs: number;
}

/** A while in which a pod is not ready. */
interface Bout {
  readonly afterMs: number;
  readonly forMs: number;
}

/**
 * Writes the script of a pod. It is asked once for each pod, when its node first sees it.
 *
 * @param random of this pod alone: what it gives does not depend on other pods, nor on restarts of the kubelet
 */
export type ScriptPod = (pod: Pod, random: Random) => PodScript;

/** How pods behave, as a value: what {@link scripts} draws each pod's script from. */
export interface PodBehaviour {
  /** @defaultValue 100 to 1,000 ms */
  readonly readyAfterMs?: Range;
  /** @defaultValue 0 to 500 ms */
  readonly stopsAfterMs?: Range;
  /** Of a hundred pods, how many lose their readiness, up to three times. @defaultValue 0 */
  readonly flappingPercent?: number;
  /** Of a hundred pods, how many are evicted, within a minute. @defaultValue 0 */
  readonly failingPercent?: number;
}

/** From `min` to `max`, both included. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** Pods whose image has the tag `broken` never become ready; all others behave as they are told. */
export function scripts(behaviour: PodBehaviour = {}): ScriptPod {
  const { readyAfterMs = { min: 100, max: 1_000 }, stopsAfterMs = { min: 0, max: 500 } } = behaviour;
  const { flappingPercent = 0, failingPercent = 0 } = behaviour;
  return ({ spec }, random) => {
    // Each is drawn whether or not it counts, so that one setting does not change what another brings.
    const [ready, stops] = [within(readyAfterMs, random), within(stopsAfterMs, random)];
    const [flaps, fails] = [random.int(100) < flappingPercent, random.int(100) < failingPercent];
    const bouts = Array.from({ length: 1 + random.int(3) }, () => ({
      afterMs: within({ min: 1, max: 20_000 }, random),
      forMs: within({ min: 1, max: 10_000 }, random),
    }));
    const failsAfterMs = within({ min: 0, max: 60_000 }, random);
    return {
      readyAfterMs: spec.containers.some(isBroken) ? 'never' : ready,
      stopsAfterMs: stops,
      ...(flaps ? { unready: bouts } : {}),
      ...(fails ? { failsAfterMs } : {}),
    };
  };
}

function isBroken({ image = '' }: { readonly image?: string }): boolean {
  return image.endsWith(':broken');
}

function within({ min, max }: Range, random: Random): number {
  return min + random.int(max - min + 1);
}
