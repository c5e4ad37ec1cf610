/**
 * The finalizer that delays the deletion of a definition until its objects are deleted. Upstream:
 * kubernetes/apiextensions-apiserver@v0.36.3 pkg/apis/apiextensions/types.go CustomResourceCleanupFinalizer
 */
export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';
