import type { Pod } from '../../api/objects.ts';
import type { Random } from '../../sim/index.ts';

/**
 * The script of a pod on a scripted node: when it becomes ready, whether it stays ready, and how it ends. All times are
 * virtual ms.
 */
export interface PodScript {
  /**
   * Time until the pod runs and is ready, after its node has seen it. `never`: its image cannot be pulled, so it stays
   * `Pending`.
   */
  readonly readyAfterMs: number | 'never';
  /**
   * Failures of its readiness probe: each starts some time after the pod last became ready, and has a duration.
   *
   * @defaultValue none
   */
  readonly unready?: readonly Bout[];
  /** Time until the pod is evicted and stays `Failed`, after its node has seen it. @defaultValue never */
  readonly failsAfterMs?: number;
  /**
   * Time that its containers take to stop when the pod is deleted; the grace period limits it. A container that does
   * not run stops at once.
   */
  readonly stopsAfterMs: number;
}

/** A period without readiness. */
interface Bout {
  readonly afterMs: number;
  readonly forMs: number;
}

/**
 * Writes the script of a pod. Called once for each pod, when its node first sees it.
 *
 * @param random for this pod alone: its values do not depend on other pods, or on restarts of the kubelet
 */
export type ScriptPod = (pod: Pod, random: Random) => PodScript;

/** The behaviour of pods, as a value. {@link scripts} generates the script of each pod from it. */
export interface PodBehaviour {
  /** @defaultValue 100 to 1,000 ms */
  readonly readyAfterMs?: Range;
  /** @defaultValue 0 to 500 ms */
  readonly stopsAfterMs?: Range;
  /** Percentage of pods that lose readiness, up to three times. @defaultValue 0 */
  readonly flappingPercent?: number;
  /** Percentage of pods that are evicted, within a minute. @defaultValue 0 */
  readonly failingPercent?: number;
}

/** From `min` to `max`, both included. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** Creates scripts for pods. Pods whose image has the tag `broken` never become ready. */
export function scripts(behaviour: PodBehaviour = {}): ScriptPod {
  const { readyAfterMs = { min: 100, max: 1_000 }, stopsAfterMs = { min: 0, max: 500 } } = behaviour;
  const { flappingPercent = 0, failingPercent = 0 } = behaviour;
  return ({ spec }, random) => {
    // Draw every value even if it is not used, so that one setting does not change the effect of another.
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
