import type { Components } from '../../contracts/component.ts';
import { openHandler } from './front.fixture.ts';
import { testImpersonation } from './impersonation.fixture.ts';

const { components } = (await import('#components')) as { readonly components: Components };

testImpersonation(() => openHandler(components));
