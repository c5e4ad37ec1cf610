import type { HorizontalPodAutoscalerV1 } from '../../api/objects.ts';
import { horizontalPodAutoscalers, horizontalPodAutoscalersV1 } from '../../api/plain-resources.ts';
import type { Kind } from '../kind.ts';
import { autoscalerFromV2, autoscalerToV2 } from './autoscaling-conversion.ts';
import { horizontalPodAutoscaler } from './horizontal-pod-autoscaler.ts';

/**
 * The kind HorizontalPodAutoscaler, version 1: the same objects and rules as in version 2.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/autoscaling/v1/conversion.go
 */
export const horizontalPodAutoscalerV1: Kind<HorizontalPodAutoscalerV1> = {
  ...(horizontalPodAutoscaler as unknown as Kind<HorizontalPodAutoscalerV1>),
  resource: horizontalPodAutoscalersV1,
  conversion: {
    served: horizontalPodAutoscalersV1,
    stored: horizontalPodAutoscalers,
    toStored: autoscalerToV2,
    fromStored: autoscalerFromV2,
  },
};
