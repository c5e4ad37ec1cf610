import { persistentVolumeClaims } from '../api/resource.ts';
import type { Storage } from '../apiserver/storage/storage.ts';
import type { ComponentContext, Components } from '../contracts/component.ts';
import type { Filtering, FilterPlugin, Profile, Scoring } from '../contracts/framework/index.ts';
import type { NewVolumePlugin } from '../contracts/scheduling/volume-plugin.ts';
import { FirstObject } from './starting-with.ts';

/** Upstream: kubernetes/api@v0.36.3 core/v1/types.go DefaultSchedulerName */
const DEFAULT_SCHEDULER_NAME = 'default-scheduler';

/** The volume plugin of a cluster that binds volumes. */
export interface Volumes {
  readonly newVolumePlugin: NewVolumePlugin;
  readonly firstClaim: FirstObject;
}

/** Returns a function that returns the current volume plugin of a cluster, whose components can be replaced. */
export function volumesOf(
  { components }: { readonly components?: Partial<Components> },
  storage: Storage,
): () => Volumes | undefined {
  let firstClaim: FirstObject | undefined;
  return () => {
    const newVolumePlugin = components?.volumeBinding;
    if (!newVolumePlugin) return undefined;
    firstClaim ??= new FirstObject([persistentVolumeClaims], storage);
    return { newVolumePlugin, firstClaim };
  };
}

/** The parts of a profile. */
interface ProfileParts {
  readonly filtering: Filtering;
  readonly scoring: Scoring;
  /** Absent in a cluster that binds no volumes. */
  readonly volumes?: Volumes | undefined;
}

/** Returns the profile of a starting scheduler. */
export function schedulerProfile(
  context: Omit<ComponentContext, 'profile'>,
  { filtering, scoring, volumes }: ProfileParts,
): Profile {
  const profile = { schedulerName: DEFAULT_SCHEDULER_NAME, filtering, scoring, reserve: [], bind: [] };
  if (!volumes) return profile;
  const { newVolumePlugin, firstClaim } = volumes;
  const isWaiting = !firstClaim.exists;
  const plugin = newVolumePlugin({
    context,
    ...(isWaiting && { firstClaim: firstClaim.wait(context.signal) }),
  });
  return {
    ...profile,
    filtering: { ...filtering, plugins: withVolumes(filtering.plugins, plugin) },
    reserve: [plugin],
    bind: [plugin],
    onEvent: (report) => plugin.onEvent(report),
  };
}

/**
 * Inserts the plugin before the plugins that count pods in several nodes.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/apis/config/v1/default_plugins.go getDefaultPlugins
 */
function withVolumes(plugins: readonly FilterPlugin[], plugin: FilterPlugin): readonly FilterPlugin[] {
  const at = plugins.findIndex(({ name }) => name === 'PodTopologySpread' || name === 'InterPodAffinity');
  return at < 0 ? [...plugins, plugin] : plugins.toSpliced(at, 0, plugin);
}
