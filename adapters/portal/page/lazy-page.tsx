import { type ComponentType, lazy, Suspense } from "react";
import { LoadError, RowsSkeleton } from "./query-result.tsx";

/** The service may have been updated since the portal was opened: then it has these scripts no more, and others instead. */
const NotLoaded = () => <LoadError error={new Error("scripts")} onRetry={() => window.location.reload()} />;

/** A page whose scripts are loaded when it is first shown, so that the portal itself is there sooner. */
export const lazyPage = <Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> => {
  const Loaded = lazy(async () => ({ default: await load().catch((): ComponentType<Props> => NotLoaded) }));
  return (props) => (
    <Suspense fallback={<RowsSkeleton lines={12} />}>
      <Loaded {...props} />
    </Suspense>
  );
};
