/**
 * @module Says what the tests that need nothing leave out, so that their success is not taken for more than it is.
 */

export function setup(): void {
  process.stdout.write(
    "Without OpenTofu, Terraform and real hosts: npm run test:lab tests with them, as root on Linux.\n",
  );
}
