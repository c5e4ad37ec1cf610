/**
 * What a definition waits for when it is deleted. Upstream:
 * kubernetes/apiextensions-apiserver@v0.36.3 pkg/apis/apiextensions/types.go CustomResourceCleanupFinalizer
 */
export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';
