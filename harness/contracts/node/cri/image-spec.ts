/**
 * Names an image: `docker.io/library/nginx:1.27`, or a digest, or what `ImageService.pullImage` returned.
 *
 * Upstream: kubernetes/cri-api@v0.36.3 pkg/apis/runtime/v1/api.proto ImageSpec
 */
export interface ImageSpec {
  readonly image: string;
}
