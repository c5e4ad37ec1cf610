import type { Clock, FileSystem } from '#harness';
import { writeAtomically } from './atomic-writer.ts';
import { mountMemory, removeVolume } from './empty-dir.ts';
import { type PayloadOptions, payloadOf } from './payload.ts';
import type { VolumePlugin, VolumeSource } from './volume-spec.ts';

/** What the volumes that show objects of the API are made with. */
interface ProjectedFilesOptions extends PayloadOptions {
  readonly files: FileSystem;
  readonly clock: Clock;
}

/**
 * The volumes that show objects of the API as files: configMap, secret, downwardAPI and projected. They are set up again whenever
 * the pod is looked at, and written when they say something else. All but config maps are in memory, so that no secret is on disk.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/volume/{configmap,secret,downwardapi,projected}
 *
 * Differs: an update that fails leaves the files as they are; upstream then takes the volume away from under the pod.
 */
export function projectedFilesPlugins(options: ProjectedFilesOptions): readonly VolumePlugin[] {
  return [
    plugin('kubernetes.io~configmap', 'configMap', options),
    plugin('kubernetes.io~secret', 'secret', options),
    plugin('kubernetes.io~downward-api', 'downwardAPI', options),
    plugin('kubernetes.io~projected', 'projected', options),
  ];
}

function plugin(directory: string, kind: keyof VolumeSource, options: ProjectedFilesOptions): VolumePlugin {
  const { files, clock } = options;
  return {
    directory,
    readonly: true,
    remounts: true,
    knows: (source) => source[kind] !== undefined,

    async setUp({ pod, source }, dir) {
      // An object may be missing. It is read first, so that nothing is made without it.
      const payload = await payloadOf(source, pod, options);
      await files.mkdirAll(dir, 0o777);
      if (kind !== 'configMap') await mountMemory(files, dir);
      await writeAtomically(files, dir, payload, clock.now());
    },

    tearDown: (dir) => removeVolume(files, dir),
    pathOf: (_, dir) => dir,
  };
}
